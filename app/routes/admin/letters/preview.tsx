/** A saved letter as its readers see it: wide, on a phone, in the dark, and as text. */
import { Section } from "#app/ui/admin/page-head.tsx";

const FRAMES = [
  { name: "Wide", className: "w-full", isDark: false },
  { name: "Phone, 390 pixels", className: "w-[390px] max-w-full", isDark: false },
  // The colors that most mail programs make of a light email.
  { name: "Dark", className: "w-[390px] max-w-full invert hue-rotate-180", isDark: true },
];

/** Pictures keep their colors in the dark. */
const darkened = (html: string) => html.replaceAll(/(<img\b[^>]* style=")/g, "$1filter:invert(1) hue-rotate(180deg);");

export function LetterPreview({ html, text }: { html: string; text: string }) {
  return (
    <Section title="Preview" className="gap-6">
      {FRAMES.map(({ name, className, isDark }) => (
        <figure key={name} className="grid gap-1">
          <figcaption className="font-medium">{name}</figcaption>
          <iframe
            title={name}
            srcDoc={isDark ? darkened(html) : html}
            sandbox="allow-same-origin"
            className={`h-140 border border-line bg-white ${className}`}
          />
        </figure>
      ))}
      <figure className="grid gap-1">
        <figcaption className="font-medium">Text</figcaption>
        <pre className="max-h-140 overflow-y-auto border border-line bg-white p-4 text-[13px] whitespace-pre-wrap">
          {text}
        </pre>
      </figure>
    </Section>
  );
}
