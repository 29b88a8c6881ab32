import { useEffect, useId, useRef } from "react";
import { Honeypot } from "#app/ui/form/honeypot.tsx";
import { PlainForm, Submit } from "#app/ui/form/plain-form.tsx";

const FAILURE = { message: "We couldn’t save your email. Please try again." };

/** Asks for one email when a product can be bought. Without JavaScript it leads to a page of its own. */
export function BackInStockForm({ slug }: { slug: string }) {
  const id = useId();
  return (
    <PlainForm
      id={`back-in-stock-${slug}`}
      action={`/back-in-stock?product=${slug}`}
      failure={FAILURE}
      messageAt="none"
      noValidate
      className="grid gap-1.5"
    >
      {({ result }) => {
        if (result?.ok) return <Noted />;
        const problem = result?.submission?.error?.email?.[0] ?? result?.message;
        return (
          <>
            <label htmlFor={id} className="font-medium">
              Email me when it’s available
            </label>
            <Honeypot />
            <div className="flex flex-wrap gap-2">
              <input
                id={id}
                name="email"
                type="email"
                required
                autoComplete="email"
                placeholder="you@example.com"
                defaultValue={result?.submission?.initialValue?.email as string | undefined}
                aria-invalid={problem ? true : undefined}
                aria-describedby={`${id}-note`}
                className="min-h-12 min-w-0 flex-1 basis-52 rounded-[10px] border border-[#8a8d8a] bg-card px-4 aria-invalid:border-error"
              />
              <Submit busy="Sending..." className="button button-quiet">
                Email me
              </Submit>
            </div>
            <p id={`${id}-note`} role={problem ? "alert" : undefined} className="text-sm text-ink-soft">
              {problem ? <span className="font-medium text-error">{problem}</span> : "Just one email."}
            </p>
          </>
        );
      }}
    </PlainForm>
  );
}

function Noted() {
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <p ref={box} role="status" tabIndex={-1} className="rounded-card bg-leaf-light px-5 py-4 font-medium outline-none">
      Noted. We’ll email you once, when it’s available.
    </p>
  );
}
