import { useEffect, useRef, type ReactNode } from "react";

const TONES = {
  warning: "rounded-card bg-saving-soft font-medium text-saving",
  error: "rounded-card border border-error/30 bg-card",
};

type AlertProps = {
  tone?: keyof typeof TONES;
  /** Changes with each result, so that a repeated message is announced again. The focus moves only if set. */
  focusFor?: unknown;
  className: string;
  children: ReactNode;
};

/** An error message that is announced and focused. */
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
