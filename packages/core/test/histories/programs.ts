/**
 * The recorded runs, each with the same program on our API and the class that it falls into:
 *   reproduced   the recorded messages, fed turn by turn, give the recorded events, messages and metadata;
 *   replayed     the recorded turns replay without nondeterminism, but the end is ours (`why`);
 *   failure      the run ends in the recorded category of failure, its text or shape being Rust's own (`why`);
 *   better       deliberately different (`why` names the defect of the original).
 */
import { orchestration } from "../../src/define/definitions.ts";
import type { AnyOrchestration, OrchestrationContext } from "../../src/define/orchestration-context.ts";

export interface RecordedProgram {
  readonly orchestrations: readonly AnyOrchestration[];
  readonly class: "reproduced" | "replayed" | "failure" | "better";
  /** Why the run is not simply reproduced. */
  readonly why?: string;
  /** Only the turns from this one on are run: earlier ones ran other code. */
  readonly fromTurn?: number;
}

type Body<Input> = (ctx: OrchestrationContext, input: Input) => Promise<unknown>;

function reproduced(...definitions: readonly AnyOrchestration[]): RecordedProgram {
  return { class: "reproduced", orchestrations: definitions };
}

function program<Input>(name: string, body: Body<Input>): RecordedProgram {
  return reproduced(orchestration(name, body));
}

const greet = (ctx: OrchestrationContext, input: unknown) => ctx.scheduleActivity("Greet", input);
const other = orchestration("Other", greet);
const rustOption = (value: unknown): string =>
  value === undefined ? "None" : `Some(${JSON.stringify(value)})`;

export const programs: Readonly<Record<string, RecordedProgram>> = {
  hello: program("Hello", greet),
  instant: program("Instant", async (_ctx, input) => `echo:${input}`),
  instant_error: program("InstantErr", async () => {
    throw "bad input";
  }),
  sequence: program("Seq", async (ctx, input) => {
    const echoed = await ctx.scheduleActivity("Echo", input);
    const upper = await ctx.scheduleActivity("Upper", echoed);
    return ctx.scheduleActivity("Greet", upper);
  }),
  unicode: program("Оркестр", (ctx, input) => ctx.scheduleActivity("Эхо 🌍", input)),
  fan_out_join5: program("Fan", async (ctx) => {
    const results = await ctx.all([0, 1, 2, 3, 4].map((n) => ctx.scheduleActivity("Echo", `item-${n}`)));
    return results.join("|");
  }),
  timer: program("T", async (ctx) => {
    await ctx.scheduleTimer(50);
    await ctx.scheduleTimer(0);
    return "done";
  }),

  activity_failure_handled: program("F", async (ctx) => {
    try {
      return await ctx.scheduleActivity("Fail", "why");
    } catch (error) {
      return ctx.scheduleActivity("Echo", `caught ${(error as Error).message}`);
    }
  }),
  activity_failure_propagated: program("F", (ctx) => ctx.scheduleActivity("Fail", "why")),
  activity_panic: program("F", (ctx) => ctx.scheduleActivity("Panic", "x")),
  retry_backoff_success: program("R", (ctx) =>
    ctx.scheduleActivity("Flaky", "x", {
      retry: { maxAttempts: 5, backoff: { kind: "exponential", base: 20, multiplier: 2, max: 1_000 } },
    }),
  ),
  retry_exhausted: program("R", (ctx) =>
    ctx.scheduleActivity("Fail", "x", { retry: { maxAttempts: 3, backoff: { kind: "none" } } }),
  ),
  retry_timeout: program("R", (ctx) =>
    ctx.scheduleActivity("Slow", 1500, {
      retry: {
        maxAttempts: 3,
        backoff: { kind: "fixed", delay: 10 },
        timeout: 100,
        timeoutEndsRetries: true,
      },
    }),
  ),

  race_activity_wins: program("Race", async (ctx) => {
    const winner = await ctx.race([ctx.scheduleActivity("Echo", "quick"), ctx.scheduleTimer(300)]);
    return winner.value;
  }),
  external_event: program("E", async (ctx) => `got ${JSON.stringify(await ctx.waitForEvent("Approve"))}`),
  external_event_early: program("E", async (ctx) => {
    await ctx.waitForEvent("Go");
    return ctx.waitForEvent("Approve");
  }),
  external_event_timeout: program("E", async (ctx) => {
    await ctx.race([ctx.waitForEvent("Approve"), ctx.scheduleTimer(80)]);
    return `timeout then ${await ctx.waitForEvent("Approve")}`;
  }),
  batch_event_with_start: program("B", async (ctx) => {
    const signal = await ctx.waitForEvent("A");
    return `${signal}${await ctx.dequeue("B")}`;
  }),
  queue_buffered_before_dequeue: program("Q", async (ctx) => {
    await ctx.waitForEvent("Go");
    const first = await ctx.dequeue("jobs");
    return `${first}${await ctx.dequeue("jobs")}`;
  }),
  queue_carry_forward: program("Q", async (ctx, n: number) => {
    const message = await ctx.dequeue("jobs");
    ctx.setCustomStatus(`seen ${message}`);
    return n < 2 ? ctx.continueAsNew("Q", n + 1) : `last ${message}`;
  }),

  sub_success: reproduced(
    orchestration("Parent", async (ctx) => `parent:${await ctx.scheduleSubOrchestration("Child", "c-in")}`),
    orchestration("Child", greet),
  ),
  sub_failure: reproduced(
    orchestration("Parent", async (ctx) => {
      try {
        return await ctx.scheduleSubOrchestration("Child", "c-in");
      } catch (error) {
        return `caught ${(error as Error).message}`;
      }
    }),
    orchestration("Child", async (_ctx, input) => {
      throw `child failed on ${input}`;
    }),
  ),
  sub_explicit_id: reproduced(
    orchestration("Parent", (ctx) =>
      ctx.scheduleSubOrchestration("Child", "c-in", { instanceId: "my-child", version: "1.0.0" }),
    ),
    orchestration("Child", async (_ctx, input) => `v1:${input}`),
    orchestration("Child", { version: "2.0.0" }, async (_ctx, input) => `v2:${input}`),
  ),
  sub_id_collision: reproduced(
    orchestration("Parent", (ctx) => ctx.scheduleSubOrchestration("Child", "x", { instanceId: "taken" })),
    orchestration("Child", async (_ctx, input) => input),
  ),
  sub_reserved_id: program("Parent", (ctx) =>
    ctx.scheduleSubOrchestration("Child", "x", { instanceId: "sub::x" }),
  ),
  detached: reproduced(
    orchestration("Parent", async (ctx) => {
      ctx.startOrchestration("Other", { instanceId: "other-1", input: "d-in" });
      ctx.startOrchestration("Other", { instanceId: "other-2", input: "d2", version: "1.0.0" });
      await ctx.scheduleActivity("Echo", "x");
      return "started";
    }),
    other,
  ),
  detached_then_complete: reproduced(
    orchestration("P", async (ctx) => {
      ctx.startOrchestration("Other", { instanceId: "kept-1", input: "x" });
      return "end";
    }),
    orchestration("Other", async (_ctx, input) => input),
  ),

  continue_as_new_x3: program("Can", async (ctx, n: number) => {
    await ctx.scheduleActivity("Echo", n);
    return n < 3 ? ctx.continueAsNew("Can", n + 1) : `done at ${n}`;
  }),
  versioned: reproduced(
    orchestration("V", (ctx) => ctx.continueAsNew("V", "from v1", { version: "2.0.0" })),
    orchestration("V", { version: "2.0.0" }, async (ctx, input: string) => {
      if (input === "again") return "v2 got again";
      return input === "plain" ? ctx.continueAsNew("V", "again") : `v2 got ${input}`;
    }),
  ),
  custom_status: program("S", async (ctx, input) => {
    if (input === 2) return `carried ${rustOption(ctx.getCustomStatus())}`;
    ctx.setCustomStatus("a");
    ctx.setCustomStatus("b");
    await ctx.scheduleActivity("Echo", "1");
    ctx.setCustomStatus(undefined);
    await ctx.scheduleActivity("Echo", "2");
    ctx.setCustomStatus("c");
    await ctx.scheduleActivity("Echo", "3");
    return ctx.continueAsNew("S", "2");
  }),
  kv: program("K", async (ctx, input) => {
    if (input === 2) return `k=${rustOption(JSON.stringify(ctx.kv.get("k")))} n=${ctx.kv.keys().length}`;
    ctx.kv.set("a", "1");
    ctx.kv.set("b", "2");
    ctx.kv.set("a", "3");
    await ctx.scheduleActivity("Echo", "1");
    ctx.kv.delete("a");
    ctx.kv.delete("missing");
    await ctx.scheduleActivity("Echo", "2");
    ctx.kv.clear();
    await ctx.scheduleActivity("Echo", "3");
    ctx.kv.set("k", { x: 1 });
    await ctx.scheduleActivity("Echo", "4");
    return ctx.continueAsNew("K", "2");
  }),
  kv_other_instance: reproduced(
    orchestration("Src", async (ctx) => {
      ctx.kv.set("k", '"quoted" v');
      return "ok";
    }),
    orchestration("Rd", async (ctx) => {
      const present = await ctx.kv.getFromInstance("src", "k");
      const absent = await ctx.kv.getFromInstance("src", "nope");
      const unknown = await ctx.kv.getFromInstance("ghost", "k");
      return [present, absent, unknown].map(rustOption).join(",");
    }),
  ),
  kv_replay_metadata: program("K", async (ctx) => {
    ctx.kv.set("n", 1);
    await ctx.waitForEvent("Go");
    ctx.kv.set("n", Number(ctx.kv.get("n")) + 1);
    await ctx.scheduleActivity("Echo", ctx.kv.get("n"));
    return ctx.kv.get("n");
  }),
  system_calls: program("S", async (ctx) => {
    const first = await ctx.newGuid();
    const nowMs = await ctx.utcNow();
    return `${first}|${nowMs}|${await ctx.newGuid()}`;
  }),
  session: program("S", async (ctx) => {
    const first = await ctx.scheduleActivity("WhoAmI", "a", { session: "sess-1" });
    const second = await ctx.scheduleActivity("WhoAmI", "b", { session: "sess-1" });
    return [first, second, await ctx.scheduleActivity("WhoAmI", "c")].join(",");
  }),
  tags: program("T", async (ctx) => {
    const tagged = await ctx.scheduleActivity("Echo", "gpu work", { tag: "gpu" });
    return `${tagged},${await ctx.scheduleActivity("Echo", "plain")}`;
  }),

  cancel_idle: program("W", (ctx) => ctx.waitForEvent("never")),
  cancel_before_start: program("W", greet),
  stale_and_duplicate_completions: program("N", async (ctx) => {
    const result = await ctx.scheduleActivity("Echo", "a");
    return `${result}${await ctx.waitForEvent("Go")}`;
  }),
  unregistered_orchestration_poison: program("Unrelated", async () => "not reached"),
  unregistered_sub_orchestration: program("P", async (ctx) => {
    try {
      return await ctx.scheduleSubOrchestration("Missing", "x");
    } catch {
      return "not reached";
    }
  }),
  undecodable_history_poison: program("N", (ctx) => ctx.waitForEvent("Go")),

  complete_with_outstanding: {
    class: "replayed",
    why: "the original kept the futures alive until the function had returned; here, what is not awaited is dropped with dropped_future rows (docs/decisions/orchestration-code.md)",
    orchestrations: [
      orchestration("O", async (ctx) => {
        void ctx.scheduleActivity("Slow", "1500");
        void ctx.scheduleSubOrchestration("Wait", "");
        void ctx.waitForEvent("never");
        await ctx.scheduleActivity("Echo", "x");
        return "early";
      }),
      orchestration("Wait", (ctx) => ctx.waitForEvent("never")),
    ],
  },

  orchestration_panic: {
    class: "failure",
    why: "a throw is a returned error in TypeScript; Panicked is Rust's (application failures both)",
    orchestrations: [
      orchestration("P", async (ctx) => {
        await ctx.scheduleActivity("Echo", "a");
        throw new Error("orch exploded");
      }),
    ],
  },
  typed_decode_failure: {
    class: "failure",
    why: "the text of a decode failure is the decoder's own",
    orchestrations: [
      orchestration("T", async (ctx) => {
        const n = await ctx.scheduleActivity("Echo", "abc");
        if (typeof n !== "number") throw new Error("a number was expected");
        return n;
      }),
    ],
  },
  nondeterminism_changed_code: {
    class: "failure",
    why: "the difference is described in our words",
    fromTurn: 2,
    orchestrations: [
      orchestration("N", async (ctx) => {
        await ctx.scheduleActivity("Upper", "a");
        await ctx.waitForEvent("Go");
        return "new";
      }),
    ],
  },
  nondeterminism_removed_step: {
    class: "failure",
    why: "the difference is described in our words",
    fromTurn: 2,
    orchestrations: [
      orchestration("N", async (ctx) => {
        await ctx.waitForEvent("Go");
        return "new";
      }),
    ],
  },
  nondeterminism_unknown_completion: program("N", (ctx) => ctx.waitForEvent("Go")),

  unregistered_activity_poison: {
    class: "better",
    why: "poison of an activity rejects its call (docs/decisions/attempts-and-blocked-work.md)",
    orchestrations: [
      orchestration("U", async (ctx) => {
        try {
          return await ctx.scheduleActivity("Nope", "x");
        } catch {
          return "caught";
        }
      }),
    ],
  },
  duplicate_activity_failure: {
    class: "better",
    why: "a repeated ActivityFailed is dropped like any repeated completion ([Q] of runtime-semantics §1.3 rule 2)",
    orchestrations: [
      orchestration("N", async (ctx) => {
        await ctx.scheduleActivity("Fail", "a").catch(() => undefined);
        return ctx.waitForEvent("Go");
      }),
    ],
  },
  detached_then_continue_as_new: {
    class: "better",
    why: "a detached start made in the turn that continues as new is sent ([Q] of runtime-semantics §1.9)",
    orchestrations: [
      orchestration("P", async (ctx, input) => {
        if (input === 2) return "end";
        ctx.startOrchestration("Other", { instanceId: "lost-1", input: "x" });
        return ctx.continueAsNew("P", "2");
      }),
    ],
  },
  schedule_then_complete: {
    class: "better",
    why: "a child that was never started is not sent a cancellation ([Q] of runtime-semantics §1.8)",
    orchestrations: [
      orchestration("P", async (ctx) => {
        void ctx.scheduleActivity("Echo", "x");
        void ctx.scheduleTimer(10);
        void ctx.scheduleSubOrchestration("Other", "y");
        return "end";
      }),
    ],
  },
  limit_custom_status: {
    class: "better",
    why: "the call that exceeds a limit throws before anything is recorded ([Q] of runtime-semantics §1.2 step 15)",
    orchestrations: [
      orchestration("L", async (ctx) => {
        ctx.setCustomStatus("x".repeat(262_145));
        await ctx.scheduleActivity("Echo", "x");
        return "not reached";
      }),
    ],
  },
  limit_kv_keys: {
    class: "better",
    why: "the call that exceeds a limit throws before it is recorded ([Q] of runtime-semantics §1.2 step 15)",
    orchestrations: [
      orchestration("L", async (ctx) => {
        for (let n = 0; n <= 150; n++) ctx.kv.set(`k${n}`, "v");
        return "done";
      }),
    ],
  },
};
