/** The cost calculator of docs/cosmos/costs.md. It works in the page alone: it loads and sends nothing. */
import { computed, defineComponent, h, reactive, type VNode } from "vue";
import results from "../../../benchmarks/results/cosmos-requests.json" with { type: "json" };
import { type Costs, costsOf, type Load, measuredIn, type Prices } from "./costs.ts";

const load: Load = {
  perDay: 100_000,
  activities: 3,
  atOnce: false,
  peak: 3,
  peakHours: 8,
  processes: 2,
  partitions: 1,
  margin: 20,
};
/** Examples: they were not read from the price list of Azure. */
const prices: Prices = { million: 0.25, provisioned: 0.008, autoscale: 0.012 };

const FIELDS: readonly (readonly [keyof Load, string, number])[] = [
  ["perDay", "Orchestrations a day", 0],
  ["activities", "Activities of each", 0],
  ["peak", "Busiest minutes, times the mean", 1],
  ["peakHours", "Hours a day with such minutes", 0],
  ["processes", "Processes", 1],
  ["partitions", "Physical partitions", 1],
  ["margin", "Margin for an account, %", 0],
];
const PRICE_FIELDS: readonly (readonly [keyof Prices, string, number])[] = [
  ["million", "Serverless: a million RU", 0],
  ["provisioned", "Provisioned: 100 RU/s for an hour", 0],
  ["autoscale", "Autoscale: 100 RU/s for an hour", 0],
];

const measured = measuredIn(results.lines);

const number = (value: number, digits = 0): string =>
  value.toLocaleString("en-US", { maximumFractionDigits: digits });
const money = (value: number): string =>
  value.toLocaleString("en-US", {
    style: "currency",
    currency: "USD",
    maximumFractionDigits: value < 100 ? 2 : 0,
  });

export const CostCalculator = defineComponent({
  setup() {
    const given = reactive({ ...load });
    const paid = reactive({ ...prices });
    const costs = computed(() => costsOf(given, measured, paid));
    return () =>
      h("form", { class: "calculator", onSubmit: (event: Event) => event.preventDefault() }, [
        h("fieldset", [
          h("legend", "Load"),
          ...FIELDS.map(([name, label, least]) => numberField(given, name, label, least)),
          h("label", [
            h("input", {
              type: "checkbox",
              checked: given.atOnce,
              onChange: (event: Event) => {
                given.atOnce = (event.target as HTMLInputElement).checked;
              },
            }),
            "activities at once, not one after the other",
          ]),
        ]),
        h("fieldset", [
          h("legend", "Prices in US dollars, one region: examples, replace them by yours"),
          ...PRICE_FIELDS.map(([name, label, least]) => numberField(paid, name, label, least)),
        ]),
        answer(costs.value),
      ]);
  },
});

function numberField<Name extends string>(
  values: Record<Name, number | boolean>,
  name: Name,
  label: string,
  least: number,
): VNode {
  return h("label", [
    h("span", label),
    h("input", {
      type: "number",
      name,
      min: least,
      step: "any",
      value: values[name],
      onInput: (event: Event) => {
        const value = (event.target as HTMLInputElement).valueAsNumber;
        if (Number.isFinite(value) && value >= least) values[name] = value;
      },
    }),
  ]);
}

function answer(costs: Costs): VNode {
  const rows: readonly (readonly [string, string])[] = [
    ["One orchestration", `${number(costs.each)} RU`],
    ["Processes that wait for work", `${number(costs.idle, 1)} RU/s`],
    ["Mean of the day; busiest minutes", `${number(costs.mean)}; ${number(costs.peak)} RU/s`],
    ["Serverless", `${money(costs.serverless)} a month`],
    [`Autoscale up to ${number(costs.autoscaleRus)} RU/s`, `${money(costs.autoscale)} a month`],
    [`Provisioned, ${number(costs.provisionedRus)} RU/s`, `${money(costs.provisioned)} a month`],
  ];
  return h("table", { "aria-live": "polite", "aria-label": "Costs" }, [
    h(
      "tbody",
      rows.map(([what, value]) => h("tr", [h("th", { scope: "row" }, what), h("td", value)])),
    ),
  ]);
}
