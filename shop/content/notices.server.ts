/** The notice bar: what staff say, legal texts that are to take effect, and the bar of a preview. */
import { clock } from "#shop/clock.ts";
import { plainTexts } from "#shop/pages.ts";
import { dayText } from "#shop/policy-text.ts";
import type { Notice } from "./notice.ts";
import { hasEnded, previewedText, publishedText, scheduledTexts } from "./published.server.ts";
import { fillWords } from "./text-words.ts";
import { textKey } from "./texts.server.ts";

function ofPreview(): Notice[] {
  const text = previewedText();
  // Beside the form there is nothing to go back to.
  if (!text?.version) return [];
  return [{ text: `Preview of version ${text.version}`, to: `/admin/texts/${text.key}`, label: "Back to editing" }];
}

function ofStaff(): Notice[] {
  const fields = publishedText("notice")?.fields ?? {};
  const { text = "", to = "", label = "" } = fields;
  if (!text || hasEnded(fields, clock.now())) return [];
  return [{ text: fillWords(text), ...(to && { to, label: label || "Learn more" }) }];
}

const ofLegalTexts = (): Notice[] =>
  plainTexts.flatMap((page) =>
    scheduledTexts(textKey(page)).flatMap(({ effectiveOn, fields }) => {
      if (!effectiveOn || !fields.isAnnounced) return [];
      return [
        {
          text: `${fields.title}: a new version takes effect on ${dayText(effectiveOn)}.`,
          to: `${page.path}/${effectiveOn}`,
          label: "Read it",
        },
      ];
    }),
  );

export const currentNotices = (): Notice[] => [...ofPreview(), ...ofStaff(), ...ofLegalTexts()];
