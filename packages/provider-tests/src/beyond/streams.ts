/** Streams of instances (docs/reference/provider-contract.md §13.1). */
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import { completion, started, turnOf } from "../messages.ts";
import { ack, createInstance, given, mustFetch, mustFetchWork, passLock, turn } from "../steps.ts";
import { ackFused, fused, running } from "./fused-steps.ts";
import { append, appendOf, pageFrom, shownFrom, valuesFrom, writing, written } from "./stream-steps.ts";

const numbers = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(from + index));

const order: GroupOfCases = {
  async "values of turns and activities have consecutive offsets in the order of their commits"(context) {
    const fetched = await writing(context, 2);
    await append(context, fetched, ["a", "b"]);
    await turn(context, "a", { streams: [written(["c"])] });
    await append(context, fetched, ["d"], { written: 2 });
    const page = given(await pageFrom(context), "a page");
    context.check.equal([page.state, page.first, page.next], ["open", 0, 4], "the stream");
    context.check.equal(await shownFrom(context), ["work/1:a", "work/1:b", "c", "work/1:d"], "its values");
    context.check.equal(
      page.batches.map(({ offset, attempt, since }) => [offset, attempt, since]),
      [
        [0, 1, 0],
        [2, 1, 2],
        [3, 1, 0],
      ],
      "their places",
    );
  },

  async "a read from any offset begins with the batch that has it"(context) {
    await createInstance(context, "a", { streams: [written(numbers(10))] });
    await turn(context, "a", { streams: [written(numbers(10, 10))] });
    for (let from = 0; from <= 20; from++) {
      context.check.equal(await valuesFrom(context, from), numbers(20 - from, from), `from ${from}`);
    }
    context.check.equal((await pageFrom(context, 25))?.batches, [], "behind its end");
  },

  async "streams of an instance, and those of others, are apart"(context) {
    await createInstance(context, "b", { streams: [written(["x"])] });
    await createInstance(context, "a", { streams: [written(["a"]), written(["b"], { stream: "t" })] });
    await turn(context, "a", { streams: [written(["c"], { stream: "t" })] });
    context.check.equal(await valuesFrom(context), ["a"], "one");
    context.check.equal(await valuesFrom(context, 0, "t"), ["b", "c"], "the other");
  },

  async "texts come back as they were written"(context) {
    const texts = ["", '"', "\u0000", "\u0001\u0002", "\n", "é😀", "\\u0000", "null", "x".repeat(100_000)];
    const fetched = await writing(context, 2);
    await append(context, fetched, texts);
    await turn(context, "a", { streams: [written(texts)] });
    context.check.equal(await valuesFrom(context), [...texts, ...texts], "the texts");
    await turn(context, "a", { streams: [written(["u"], { stream: "ü\u0000'\"%" })] });
    context.check.equal(await valuesFrom(context, 0, "ü\u0000'\"%"), ["u"], "a stream of an odd name");
  },

  async "pages of a large stream have all of it"(context) {
    const values = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(100_000, "."));
    const bounds = { maxItems: 1_000, maxBytes: 1_000_000_000 };
    for (let at = 0; at < values.length; at += 10) {
      const streams = [written(values.slice(at, at + 10), { bounds })];
      if (at === 0) await createInstance(context, "a", { streams });
      else await turn(context, "a", { streams });
    }
    const { batches = [] } = (await pageFrom(context)) ?? {};
    const bytes = batches.flatMap((each) => each.values).join("").length;
    context.check.isTrue(bytes > 0 && bytes <= 1_048_576, `a page has ${bytes} bytes, at most 1 MiB`);
    context.check.equal(await valuesFrom(context), values, "all pages");
    context.check.equal((await valuesFrom(context, 33)).length, 7, "the end");
  },
};

const commits: GroupOfCases = {
  async "a turn that is refused writes nothing"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator({ kind: "ExternalRaised", instance: "a", name: "e", data: "" });
    const fetched = await mustFetch(context);
    const streams = [written(["lost"])];
    const twice = turnOf(fetched, { historyDelta: [started("a")], streams });
    await check.rejects(provider.ackOrchestrationItem(twice), "duplicate-event", "an event twice");
    await passLock(context);
    await check.rejects(ack(context, fetched, { streams }), "lock-lost", "a late turn");
    context.check.equal(await valuesFrom(context), [], "what is written");
  },

  async "a fused turn writes with its commit, and nothing where it is overtaken"(context) {
    const { provider, check } = context;
    if (provider.maxFusedActivities === 0) return check.isTrue(true, "no fused turns");
    const { historyTag, works } = await running(context, 2);
    const write = (tag: string, index: number, value: string) =>
      ackFused(context, {
        ...fused({ historyTag: tag, works: works.slice(index, index + 1) }),
        historyDelta: [],
        streams: [written([value])],
      });
    const outcome = await write(historyTag, 0, "a");
    const overtaken = await write("another", 1, "lost");
    check.equal([outcome.kind, overtaken.kind], ["committed", "overtaken"], "the turns");
    check.equal(await valuesFrom(context), ["a"], "what is written");
  },

  async "an append that is repeated stores what is new"(context) {
    const fetched = await writing(context, 2);
    await append(context, fetched, ["a", "b"]);
    await append(context, fetched, ["a", "b"]);
    await append(context, fetched, ["b", "c"], { written: 1 });
    await append(context, fetched, ["d"], { written: 3 });
    context.check.equal(await valuesFrom(context), ["a", "b", "c", "d"], "the values");
  },

  async "an append that is repeated twice, with more each time, stores each value once"(context) {
    const fetched = await writing(context, 2);
    for (const count of [2, 3, 3, 5]) await append(context, fetched, numbers(count));
    await append(context, fetched, numbers(2, 4), { written: 4 });
    context.check.equal(await valuesFrom(context), numbers(6), "the values");
  },

  async "batches of a copied stream keep their offsets, and it goes on behind them"(context) {
    const { check } = context;
    const origin = { attempt: 1, since: 0 };
    await createInstance(context, "a", {
      streams: [written(numbers(2, 10), { origin: { ...origin, offset: 10 } })],
    });
    await turn(context, "a", { streams: [written(numbers(3, 12), { origin: { ...origin, offset: 12 } })] });
    await turn(context, "a", { streams: [written(numbers(1, 15))] });
    const { first, next } = given(await pageFrom(context), "a page");
    check.equal([first, next], [10, 16], "its bounds");
    for (const from of [10, 11, 12, 13, 15])
      check.equal(await valuesFrom(context, from), numbers(16 - from, from), `from ${from}`);
  },

  async "of values for a closed stream none are stored, and its page says that it has ended"(context) {
    const fetched = await writing(context, 2);
    context.check.equal(await append(context, fetched, ["a"], { close: true }), "stored", "with the end");
    context.check.equal(await append(context, fetched, ["b"], { written: 1 }), "closed", "after it");
    await turn(context, "a", { streams: [written(["c"])] });
    const page = await pageFrom(context);
    context.check.equal([page?.state, page?.next], ["ended", 1], "the stream");
    await turn(context, "a", { streams: [written([], { stream: "t", close: true })] });
    const empty = await pageFrom(context, 0, "a", "t");
    context.check.equal([empty?.state, empty?.next], ["ended", 0], "one that was closed by a turn");
    context.check.equal(
      await append(context, fetched, ["d"], { stream: "t" }),
      "closed",
      "and an append to it",
    );
  },
};

const fences: GroupOfCases = {
  async "a delivery whose activity another fetch has writes no more"(context) {
    const fetched = await writing(context, 2);
    await append(context, fetched, ["a"]);
    await passLock(context);
    await append(context, fetched, ["b"], { written: 1 });
    await mustFetchWork(context);
    const late = append(context, fetched, ["c"], { written: 2 });
    await context.check.rejects(late, "lock-lost", "after another fetch");
    context.check.equal(await valuesFrom(context), ["a", "b"], "what is written");
  },

  async "an activity that was acknowledged, cancelled or never there writes nothing"(context) {
    const { provider, check } = context;
    const first = await writing(context, 2, 3);
    const second = await mustFetchWork(context);
    await provider.ackWorkItem(first.lockToken, completion("a", Number(first.item.id)));
    await check.rejects(append(context, first, ["a"]), "lock-lost", "an acknowledged one");
    const { item } = second;
    await ack(context, await mustFetch(context), {
      cancelledActivities: [{ instanceId: "a", executionId: 1, activityId: Number(item.id) }],
    });
    await check.rejects(append(context, second, ["b"]), "lock-lost", "a cancelled one");
    const unknown = { ...second, lockToken: "nobody" };
    await check.rejects(append(context, unknown, ["c"]), "lock-lost", "an unknown token");
    check.equal(await valuesFrom(context), [], "what is written");
  },

  async "an activity of another instance writes nothing"(context) {
    const { provider, check } = context;
    const fetched = await writing(context, 2);
    await createInstance(context, "b");
    const foreign = given(provider.appendStream, "streams").call(provider, {
      ...appendOf(fetched, ["x"]),
      instanceId: "b",
    });
    await check.rejects(foreign, "lock-lost", "a stream of another instance");
    check.equal((await pageFrom(context, 0, "b"))?.next, 0, "what is written");
  },
};

const attempts: GroupOfCases = {
  async "a delivery does not go on after another one has written, also with no values"(context) {
    const first = await writing(context, 2);
    await append(context, first, ["a", "b"]);
    await passLock(context);
    const second = await mustFetchWork(context);
    await append(context, second, ["c"], { delivery: "d2" });
    await passLock(context);
    const third = await mustFetchWork(context);
    for (const values of [["d"], []])
      await context.check.rejects(append(context, third, values, { written: 2 }), "lock-lost", "the first");
    await append(context, third, [], { delivery: "d2", written: 1 });
    await append(context, third, ["e"], { delivery: "d2", written: 1 });
    context.check.equal(
      await shownFrom(context),
      ["work/1:a", "work/1:b", "work/2:c", "work/2:e"],
      "what is written",
    );
  },

  async "a new delivery is the next attempt, and restarts the step"(context) {
    const first = await writing(context, 2);
    await append(context, first, ["a", "b"]);
    await turn(context, "a", { streams: [written(["c"])] });
    await passLock(context);
    const second = await mustFetchWork(context);
    await append(context, second, ["d"], { delivery: "d2" });
    await append(context, second, ["e"], { delivery: "d2", written: 1 });
    const { batches = [], restarts } = (await pageFrom(context)) ?? {};
    context.check.equal(
      batches.map(({ offset, attempt, since }) => [offset, attempt, since]),
      [
        [0, 1, 0],
        [2, 1, 2],
        [3, 2, 3],
        [4, 2, 3],
      ],
      "the batches",
    );
    context.check.equal(restarts, [{ at: 3, step: "work", attempt: 2, fromOffset: 0 }], "the restart");
    context.check.equal((await pageFrom(context, 3))?.restarts.length, 1, "restarts from its place on");
    context.check.equal((await pageFrom(context, 4))?.restarts, [], "restarts behind it");
  },

  async "an attempt has at least the number that its writer knows"(context) {
    const first = await writing(context, 2);
    await append(context, first, ["a"], { leastAttempt: 3 });
    await passLock(context);
    await append(context, await mustFetchWork(context), ["b"], { delivery: "d2", leastAttempt: 2 });
    await passLock(context);
    await append(context, await mustFetchWork(context), ["c"], { delivery: "d3", leastAttempt: 9 });
    context.check.equal(await shownFrom(context), ["work/3:a", "work/4:b", "work/9:c"], "the attempts");
    context.check.equal(
      (await pageFrom(context))?.restarts.map(({ fromOffset }) => fromOffset),
      [0, 1],
      "what each restart makes void",
    );
  },

  async "calls of one activity have names of their own, which they keep"(context) {
    const first = await writing(context, 2, 3);
    const second = await mustFetchWork(context);
    await append(context, first, ["a"]);
    await append(context, second, ["b"], { delivery: "d2" });
    await append(context, first, ["c"], { written: 1 });
    await append(context, second, ["d"], { delivery: "d2", written: 1 });
    const other = `work#${second.item.id}`;
    context.check.equal(
      await shownFrom(context),
      ["work/1:a", `${other}/1:b`, "work/1:c", `${other}/1:d`],
      "the steps",
    );
    context.check.equal((await pageFrom(context))?.restarts, [], "restarts");
  },
};

const bounds: GroupOfCases = {
  async "a stream keeps the newest values, and at most a tenth more than its bound"(context) {
    const { check } = context;
    const most = { maxItems: 100, maxBytes: 1_000_000 };
    const fetched = await writing(context, 2);
    for (let turns = 0; turns < 8; turns++) {
      const written = turns * 33;
      await append(context, fetched, numbers(33, written), { written, bounds: most });
      const { first = 0, next = 0 } = (await pageFrom(context)) ?? {};
      check.equal(next, written + 33, "the next offset");
      const kept = next - first;
      check.isTrue(kept >= Math.min(next, 100) && kept <= 110, `${kept} of ${next} are kept`);
    }
    const { first = 0 } = (await pageFrom(context)) ?? {};
    check.equal(await valuesFrom(context), numbers(264 - first, first), "what is kept");
    const early = await pageFrom(context, 5);
    check.equal(early?.batches[0]?.offset, first, "the first batch of a read from before it");
  },

  async "a stream keeps its newest values wherever in a batch the oldest of them is"(context) {
    const { check } = context;
    const most = { maxItems: 10, maxBytes: 1_000_000 };
    const fetched = await writing(context, 2);
    for (const size of [1, 2, 3, 4]) {
      const stream = `by-${size}`;
      for (let done = 0; done < 72; done += size) {
        await append(context, fetched, numbers(size, done), { written: done, stream, bounds: most });
        // A store may clean up rarely.
        if (done < 48) continue;
        const { first, next } = given(await pageFrom(context, done, "a", stream), "a page");
        check.isTrue(next - first >= 10, `${next - first} values of batches of ${size} are kept`);
        const kept = await valuesFrom(context, first, stream);
        check.equal(kept, numbers(next - first, first), `what can be read of batches of ${size}`);
      }
    }
  },

  async "a stream keeps the newest bytes, of turns too"(context) {
    const { check } = context;
    const most = { maxItems: 1_000, maxBytes: 1_000 };
    const values = Array.from({ length: 30 }, () => "é".repeat(5));
    await createInstance(context, "a");
    for (let turns = 0; turns < 8; turns++) {
      await turn(context, "a", { streams: [written(values, { bounds: most })] });
      const { first = 0, next = 0 } = (await pageFrom(context)) ?? {};
      const bytes = (next - first) * 10;
      check.isTrue(bytes >= Math.min(next * 10, 1_000) && bytes <= 1_100, `${bytes} bytes are kept`);
    }
  },

  async "a value larger than the bound is kept alone"(context) {
    await createInstance(context, "a", {
      streams: [written(["a", "b".repeat(50), "c".repeat(60)], { bounds: { maxItems: 5, maxBytes: 40 } })],
    });
    context.check.equal(await valuesFrom(context), ["c".repeat(60)], "what is kept");
  },
};

const notices: GroupOfCases = {
  async "a watcher of a stream hears of its values, and of no other stream"(context) {
    const { provider, time, check } = context;
    if (provider.watchStream === undefined) return check.isTrue(true, "no notices");
    const heard: string[] = [];
    const fetched = await writing(context, 2);
    const unwatch = provider.watchStream("a", "s", () => void heard.push("s"));
    provider.watchStream("a", "t", () => void heard.push("t"));
    await append(context, fetched, ["a"]);
    await time.pass(1);
    check.isTrue(heard.length > 0 && heard.every((each) => each === "s"), "after an append");
    heard.length = 0;
    await turn(context, "a", { streams: [written(["b"])] });
    await time.pass(1);
    check.isTrue(heard.length > 0 && heard.every((each) => each === "s"), "after a turn");
    heard.length = 0;
    unwatch();
    await append(context, fetched, ["c"], { written: 1 });
    await time.pass(1);
    check.equal(heard, [], "after its end");
  },
};

const badArguments: GroupOfCases = {
  async "an append and a read name a stream, its values and an offset"(context) {
    const { provider, check } = context;
    const fetched = await writing(context, 2);
    const good = appendOf(fetched, ["a"]);
    const bad: Readonly<Record<string, unknown>> = {
      "no append": undefined,
      "no stream": { ...good, stream: undefined },
      "values that are no texts": { ...good, values: [1] },
      "no values": { ...good, values: undefined },
      "no bounds": { ...good, bounds: undefined },
      "a bound of 0": { ...good, bounds: { maxItems: 0, maxBytes: 1 } },
      "no writer": { ...good, writer: undefined },
      "a number of values below 0": { ...good, writer: { ...good.writer, written: -1 } },
      "attempt 0": { ...good, writer: { ...good.writer, leastAttempt: 0 } },
    };
    for (const [what, value] of Object.entries(bad)) {
      const call = given(provider.appendStream, "streams").call(provider, value as never);
      await check.rejects(call, "invalid-input", what);
    }
    for (const from of [-1, 0.5, Number.NaN, "1"]) {
      await check.rejects(pageFrom(context, from as number), "invalid-input", `from ${from}`);
    }
    await check.rejects(pageFrom(context, 0, null as never, "s"), "invalid-input", "no id");
    check.equal(await valuesFrom(context), [], "what is written");
  },
};

export const streams: readonly ProviderCase[] = casesOf(
  "streams",
  needing(["streams"], {
    ...order,
    ...commits,
    ...fences,
    ...attempts,
    ...bounds,
    ...notices,
    ...badArguments,
  }),
);
