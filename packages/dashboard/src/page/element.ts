/** Elements and components as calls, checked against the attributes of each (docs/decisions/dashboard.md). */
import { type ComponentChild, type ComponentChildren, h as element, type VNode } from "preact";

type Elements = element.JSX.IntrinsicElements;
type Component<Props> = (props: Props) => ComponentChild;
/** Attributes for style sheets and tests. */
type Data = { readonly [name: `data-${string}`]: string | undefined };
/** `key` is for lists; children may be given behind the properties. */
type Given<Props> = Omit<Props, "children" | "key"> & {
  readonly key?: string | number;
  readonly children?: ComponentChildren;
};

export function h<Tag extends keyof Elements>(
  tag: Tag,
  attributes: Elements[Tag] & Data,
  ...children: readonly ComponentChildren[]
): VNode;
export function h<Props>(
  component: Component<Props>,
  props: NoInfer<Given<Props>>,
  ...children: readonly ComponentChildren[]
): VNode;
export function h(
  type: string | Component<object>,
  props: object,
  ...children: readonly ComponentChildren[]
): VNode {
  return element(type as string, props, ...children) as VNode;
}
