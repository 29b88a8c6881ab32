import { useEffect, useRef, type ReactNode } from "react";

const TONES = {
  warning: "rounded-card bg-saving-soft font-medium text-saving",
  error: "rounded-card border border-error/30 bg-card",
};

type AlertProps = {
  tone?: keyof typeof TONES;
  /** Changes with each action result, so that the same words are read again. Without it the focus stays where it is. */
  focusFor?: unknown;
  className: string;
  children: ReactNode;
};

/** What stands in the way, in a box that is read out and takes the focus. */
export function Alert({ tone = "warning", focusFor, className, children }: AlertProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focusFor) box.current?.focus();
  }, [focusFor]);
  return (
    <div ref={box} role="alert" tabIndex={-1} className={`${TONES[tone]} ${className}`}>
      {children}
    </div>
  );
}
