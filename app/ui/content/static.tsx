/**
 * What nothing in the page ever changes: no state, nothing that a press answers but links. A document's own is left as it
 * came, and a phone need not go through it before it answers a finger; links.tsx follows its links. Coming from another
 * page it is rendered like anything else.
 */
import {
  lazy,
  useState,
  useSyncExternalStore,
  type ComponentType,
  type ElementType,
  type HTMLAttributes,
  type ReactNode,
} from "react";

const never = () => () => {};

/** Whether the document came with this part. */
function useAsItCame(): boolean {
  const isHydrating = useSyncExternalStore(
    never,
    () => false,
    () => !import.meta.env.SSR,
  );
  return useState(isHydrating)[0];
}

const LEFT = { suppressHydrationWarning: true, dangerouslySetInnerHTML: { __html: "" } };

type StaticProps = HTMLAttributes<HTMLElement> & {
  as?: "div" | "figure" | "footer" | "section" | "ul";
  children: ReactNode;
};

export function Static({ as = "div", children, ...props }: StaticProps) {
  const Tag: ElementType = as;
  const asItCame = useAsItCame();
  return (
    <Tag {...props} data-static {...(asItCame && LEFT)}>
      {asItCame ? undefined : children}
    </Tag>
  );
}

/** A static part whose code, too, comes only to who has come from another page, and then with the page. */
export function staticPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { as: Tag = "div", className }: { as?: "div" | "footer"; className?: string } = {},
): ComponentType<Props> {
  // A page is whole enough without a part that cannot be fetched.
  const Part = lazy(() => load().catch(() => ({ default: () => null }))) as unknown as ComponentType<Props>;
  return function StaticPart(props) {
    if (useAsItCame()) return <Tag className={className} data-static {...LEFT} />;
    return (
      <Tag className={className} data-static>
        <Part {...props} />
      </Tag>
    );
  };
}
