/** Actions on a turn, by what its lock is. */
import type { TurnLease } from "../memory/held.ts";
import { rememberedTurn } from "./remembered-turn.ts";
import { storedTurn } from "./stored-turn.ts";
import type { TurnActions } from "./turn-actions.ts";
import { unbornTurn } from "./unborn-turn.ts";

export function actionsOf(turn: TurnLease): TurnActions {
  switch (turn.kind) {
    case "stored":
      return storedTurn(turn);
    case "remembered":
      return rememberedTurn(turn);
    case "unborn":
      return unbornTurn(turn);
  }
}
