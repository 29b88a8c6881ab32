/** Sales tax of the checkout: asked for once state and ZIP code are typed. */
import { useCallback, useEffect, useState } from "react";
import { zipProblem } from "#shop/zip-states.ts";
import { useHydrated } from "#app/ui/chrome/page-state.ts";

export type TaxAnswer = { taxCents: number } | { message: string };

export type Tax =
  /** The shop collects none. */
  | { state: "none" }
  /** The address is not complete. */
  | { state: "unknown" }
  | { state: "asking" }
  | { state: "known"; cents: number }
  | { state: "failed"; message: string; askAgain: () => void };

/** The address and everything else that a quote depends on; null until it is complete. */
export function taxQuestion(
  values: { shippingState?: unknown; shippingPostalCode?: unknown },
  shippingMethod: string,
  seen: string,
): string | null {
  const { shippingState, shippingPostalCode } = values;
  const zip = typeof shippingPostalCode === "string" ? shippingPostalCode.replace(/\D/g, "").slice(0, 5) : "";
  if (typeof shippingState !== "string" || shippingState === "" || zip.length < 5) return null;
  if (zipProblem(shippingState, zip) !== null) return null;
  const question = new URLSearchParams({ shippingState, shippingPostalCode: zip, shippingMethod });
  return `${question}#${seen}`;
}

export type AnsweredTax = { question: string; cents: number };

/** An answer to `question`, which a later refusal of the order outdates. */
type Found = { question: string; answered: AnsweredTax | undefined; answer: TaxAnswer };

const PAUSE_MS = 300;
const AWAY = "The connection was lost, so we don’t have your sales tax yet.";

/** Asks the shop where `question` changes. `answered` is the tax of a refused order, which also comes without a script. */
export function useTax(hasTax: boolean, question: string | null, answered: AnsweredTax | undefined): Tax {
  const isHydrated = useHydrated();
  const [found, setFound] = useState<Found | null>(null);
  const [round, setRound] = useState(0);
  const askAgain = useCallback(() => {
    setFound(null);
    setRound((last) => last + 1);
  }, []);

  useEffect(() => {
    if (!hasTax || question === null) return;
    const overtaken = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await ask(question, overtaken.signal).catch(() => ({ message: AWAY }));
      if (!overtaken.signal.aborted) setFound({ question, answered, answer });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      overtaken.abort();
    };
  }, [hasTax, question, answered, round]);

  if (!hasTax) return { state: "none" };
  if (question === null) return { state: "unknown" };
  if (found?.question === question && found.answered === answered) {
    const { answer } = found;
    return "taxCents" in answer
      ? { state: "known", cents: answer.taxCents }
      : { state: "failed", message: answer.message, askAgain };
  }
  if (answered?.question === question) return { state: "known", cents: answered.cents };
  return isHydrated ? { state: "asking" } : { state: "unknown" };
}

async function ask(question: string, signal: AbortSignal): Promise<TaxAnswer> {
  const response = await fetch(`/checkout/tax.json?${question.split("#")[0]}`, { signal });
  return (await response.json()) as TaxAnswer;
}
