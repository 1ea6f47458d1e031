/** Budgets of the packed packages, in kB: what an installation downloads. A change that needs more says why here. */
export const BUDGETS_KB: Readonly<Record<string, number>> = {
  ai: 30,
  cli: 620,
  core: 1_200,
  cosmos: 680,
  "cosmos-emulator": 620,
  create: 35,
  dashboard: 400,
  "eslint-plugin": 50,
  http: 90,
  "provider-tests": 450,
  sqlite: 330,
};
