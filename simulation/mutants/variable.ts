/** The environment variable that names the mutant of a process. */
export const VARIABLE = "SIMULATION_MUTANT";
