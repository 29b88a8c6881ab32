import { Status, type Tone } from "#app/ui/admin/page-head.tsx";
import type { LetterState } from "#shop/letters/letter.ts";

const STATES: Record<LetterState, [tone: Tone, label: string]> = {
  draft: ["soon", "Draft"],
  scheduled: ["open", "Scheduled"],
  sending: ["open", "Sending"],
  sent: ["done", "Sent"],
  stopped: ["quiet", "Stopped"],
};

export function LetterStatus({ state }: { state: LetterState }) {
  const [tone, label] = STATES[state];
  return <Status tone={tone}>{label}</Status>;
}
