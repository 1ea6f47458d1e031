/** Maps paths to screens. */
import type { VNode } from "preact";
import { href } from "../browser/place.ts";
import { h } from "../element.ts";
import { Empty, Link } from "../parts/parts.ts";
import { InstanceScreen } from "./instance/instance-screen.ts";
import { InstancesScreen } from "./instances/instances-screen.ts";
import { LimitsScreen } from "./limits/limits-screen.ts";
import { OverviewScreen } from "./overview/overview-screen.ts";
import { SchedulesScreen } from "./schedules/schedules-screen.ts";
import type { ScreenProps } from "./screen.ts";
import { StartScreen } from "./start-screen.ts";
import { WorkScreen } from "./work/work-screen.ts";
import { WorkersScreen } from "./work/workers-screen.ts";

export const SCREENS: Readonly<Record<string, (props: ScreenProps) => VNode>> = {
  "": OverviewScreen,
  instances: InstancesScreen,
  instance: InstanceScreen,
  limits: LimitsScreen,
  schedules: SchedulesScreen,
  work: WorkScreen,
  workers: WorkersScreen,
  start: StartScreen,
  lost: LostScreen,
};

function LostScreen(): VNode {
  return h(
    Empty,
    { title: "There is nothing at this address" },
    h(Link, { to: href("") }, "To the overview"),
  );
}
