import { useState, useSyncExternalStore, type ElementType, type HTMLAttributes, type ReactNode } from "react";

const never = () => () => {};

type StaticProps = HTMLAttributes<HTMLElement> & {
  as?: "div" | "figure" | "footer" | "section" | "ul";
  children: ReactNode;
};

/**
 * What nothing in the page ever changes: no state, nothing that a press answers but links. A document's own is left as it
 * came, and a phone need not go through it before it answers a finger; links.tsx follows its links. Coming from another
 * page it is rendered like anything else.
 */
export function Static({ as = "div", children, ...props }: StaticProps) {
  const Tag: ElementType = as;
  const isHydrating = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  const [asItCame] = useState(isHydrating && !import.meta.env.SSR);
  if (asItCame) return <Tag {...props} data-static suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />;
  return (
    <Tag {...props} data-static>
      {children}
    </Tag>
  );
}
