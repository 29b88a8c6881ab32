/** Buttons that write Markdown at the cursor of a field. */
import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import { around, heading, link, list, newLine, numberedList, quote, type Edit } from "./markdown-edits.ts";

/** As if typed: unlike setRangeText, `insertText` can be undone in the browser, and the form hears of it. */
export function typeInto(field: HTMLTextAreaElement | HTMLInputElement, { from, to, text, start, end }: Edit): void {
  field.focus();
  field.setSelectionRange(from, to);
  document.execCommand(text === "" ? "delete" : "insertText", false, text);
  field.setSelectionRange(start, end);
}

type Tool = { name: string; shown: ReactNode; key?: string; edit: (field: HTMLTextAreaElement) => Edit };

const Icon = ({ path }: { path: string }) => (
  <svg
    viewBox="0 0 24 24"
    width="18"
    aria-hidden="true"
    className="fill-none stroke-current stroke-2"
    strokeLinecap="round"
  >
    <path d={path} />
  </svg>
);

const LINES = "M10 6h10M10 12h10M10 18h10";
const TOOLS: Tool[] = [
  { name: "Bold", shown: <b>B</b>, key: "b", edit: around("**") },
  { name: "Italic", shown: <i className="font-serif">I</i>, key: "i", edit: around("_") },
  { name: "Heading", shown: "H", edit: heading },
  {
    name: "Link",
    shown: <Icon path="M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1-1" />,
    key: "k",
    edit: link,
  },
  { name: "List", shown: <Icon path={`${LINES}M4 6h.01M4 12h.01M4 18h.01`} />, edit: list },
  { name: "Numbered list", shown: <Icon path={`${LINES}M4 5l1-1v4M4 15h2l-2 3h2`} />, edit: numberedList },
  { name: "Quote", shown: "“ ”", edit: quote },
];

/** For the field itself: Ctrl or Cmd with the key of a tool, and Enter in a list. */
export function pressTool(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.altKey || event.shiftKey || event.nativeEvent.isComposing) return;
  const isTool = event.ctrlKey || event.metaKey;
  const edit = isTool ? TOOLS.find(({ key }) => key === event.key)?.edit : event.key === "Enter" ? newLine : undefined;
  const change = edit?.(event.currentTarget);
  if (!change) return;
  event.preventDefault();
  typeInto(event.currentTarget, change);
}

/** A button keeps the focus and the selection in the field. */
const stay = (event: MouseEvent) => event.preventDefault();

type MarkdownToolbarProps = {
  /** Name of the field in the form. */
  field: string;
  /** The popover with pictures; null for a text without them. */
  pictures: string | null;
  /** For a text whose headings alone are shown as such. */
  isPlain: boolean;
};

/** Without JavaScript there is no toolbar. */
export function MarkdownToolbar({ field, pictures, isPlain }: MarkdownToolbarProps) {
  const [at, setAt] = useState(0);
  const tools = isPlain ? TOOLS.filter(({ name }) => name === "Heading") : TOOLS;
  const edit = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>, { edit: change }: Pick<Tool, "edit">) => {
    const area = form?.elements.namedItem(field);
    if (area instanceof HTMLTextAreaElement) typeInto(area, change(area));
  };
  const move = (event: KeyboardEvent) => {
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const button = buttons.at(next % buttons.length)!;
    setAt(buttons.indexOf(button));
    button.focus();
  };
  const buttonAt = (index: number) => ({
    type: "button" as const,
    tabIndex: index === at ? 0 : -1,
    onFocus: () => setAt(index),
    onMouseDown: stay,
    className: "btn min-w-9 px-2! pointer-coarse:min-w-10",
  });
  return (
    <div className="sticky top-13 z-10 mb-1.5 bg-paper py-1 lg:top-0 noscript:hidden">
      <div role="toolbar" aria-label="Formatting" tabIndex={-1} onKeyDown={move} className="flex flex-wrap gap-1">
        {tools.map((tool, index) => (
          <button
            key={tool.name}
            {...buttonAt(index)}
            aria-label={tool.name}
            title={tool.key ? `${tool.name} (Ctrl+${tool.key.toUpperCase()} or ⌘${tool.key.toUpperCase()})` : tool.name}
            onClick={(event) => edit(event, tool)}
          >
            {tool.shown}
          </button>
        ))}
        {pictures && (
          <button
            {...buttonAt(tools.length)}
            aria-label="Insert picture"
            title="Insert picture"
            popoverTarget={pictures}
          >
            <Icon path="M4 5h16v14H4zM4 16l5-5 5 5 3-3 3 3" />
          </button>
        )}
      </div>
    </div>
  );
}
