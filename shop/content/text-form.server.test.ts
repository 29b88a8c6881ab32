import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { contentOf } from "./markdown.ts";
import { firstText, firstTextKeys, textProblems, withDay } from "./text-form.server.ts";
import { firstEdition, firstKeys, partsOf } from "./texts.server.ts";

const post = {
  title: "A fine evening",
  description: "What the kitchen looks like once the dishes are done, and why.",
  category: "Tips",
  date: "2026-12-01",
  picture: "lifestyle-week",
  pictureAlt: "A kitchen",
  related: "travel-sleeve",
};
const problemsOf = (markdown: string, fields: Record<string, string> = {}) =>
  textProblems({ key: "posts-evening", fields: { ...post, ...fields }, markdown, publishAt: null });

const FactTable = ({ caption, head, rows }: { caption: string; head: string[]; rows: string[][] }) =>
  [caption, ...head, ...rows.flat()].join("|");

describe("the editor begins with the text of the page", () => {
  const files = ["pages", "legal", "posts"].flatMap((kind) => firstKeys(kind)).filter((key) => key !== "pages-science");

  it.each(files)("%s", (key) => {
    const components = { Section: "section", Question: "details", FactTable };
    const html = (Content: ReturnType<typeof contentOf>) =>
      renderToStaticMarkup(Content({ components }))
        .replaceAll(/\s+/g, " ")
        .replaceAll(/ (?=<)|(?<=>) /g, "");
    const shown = html(firstEdition(key)!.default);
    expect(html(contentOf(firstText(key)!.markdown!, partsOf(key)))).toBe(shown);
  });

  it("with names in place of numbers", () => {
    expect(firstText("pages-about")?.markdown).toContain("within {returnDays}](/warranty#return-policy)");
    expect(firstText("legal-warranty")?.markdown).toContain("## {returnDaysTitle} Return Policy {#return-policy}");
    expect(firstText("legal-terms")?.markdown).toContain("[{supportEmail}](mailto:{supportEmail})");
    expect(firstText("pages-science")?.fields["cards-0-figure"]).toBe("±{temperatureToleranceF}");
    expect(firstText("home")?.fields["lifestyle-scenes-2-title"]).toBe("{batteryHours} unplugged.");
  });

  it("and every first edition can be saved as it is", () => {
    for (const key of firstTextKeys().filter((one) => one !== "notice")) {
      const { fields, markdown } = firstText(key)!;
      expect([key, textProblems({ key, fields, markdown: markdown ?? "", publishAt: null })]).toEqual([key, {}]);
    }
  });
});

describe("a text is refused in words", () => {
  it.each([
    ["a script", "Hello\n\n<script>alert(1)</script>", /^Line 3 has HTML \(<script>/],
    ["HTML in a line", "Hello <img src=x onerror=alert(1)>", /^Line 1 has HTML/],
    [
      "a link that runs code",
      "[press](javascript:alert(1))",
      /^Line 1 has a link to “javascript:alert\(1\)”\. Links begin with/,
    ],
    ["such a link in capitals", "[press](JaVaScRiPt:alert(1))", /has a link to/],
    ["a link in data", "[press](data:text/html;base64,PHNjcmlwdD4=)", /has a link to/],
    ["an address without its protocol", "[press](//evil.example)", /has a link to/],
    ["an address with a backslash", "[press](/\\\\evil.example)", /has a link to/],
    ["a link by its definition", "[press][1]\n\n[1]: javascript:alert(1)", /^Line 3 has a link to/],
    ["an autolink that runs code", "<javascript:alert(1)>", /has a link to/],
    ["a picture of another site", "![a cat](https://evil.example/cat.png)", /^Line 1 has a picture of another site/],
    ["an unknown number", "Send it back within {returnDay}.", /^Line 1 has \{returnDay\}, which stands for nothing/],
    ["an unknown number in a link", "[write](mailto:{boss})", /has \{boss\}/],
    ["quotes in quotes", `${"> ".repeat(3_000)}x`, /nested more than 20 deep/],
    ["lists in lists", `${"- 1. ".repeat(12)}x`, /nested more than 20 deep/],
    ["strong in strong", `${"*".repeat(50)}x${"*".repeat(50)}`, /nested more than 20 deep/],
    ["a million characters", "a ".repeat(500_000), /^This text has 1,000,000 characters, and at most 100,000 fit/],
  ])("%s", (_, markdown, problem) => {
    expect(problemsOf(markdown).markdown).toMatch(problem);
  });

  it("nested too deeply is shown as it is written", () => {
    const Content = contentOf(`${"> ".repeat(3_000)}x`, "headings");
    expect(renderToStaticMarkup(Content({}))).toMatch(/^<pre>(?:&gt; ){3000}x<\/pre>$/);
  });

  it.each([
    ["description", "Too short", "At least 40 characters, for search results: 31 more"],
    ["title", "", "This may not be empty"],
    ["title", "Hi {first name}", "{first name} stands for nothing. Choose a name under Placeholders."],
    ["title", "Within {days}", "{days} stands for nothing. Choose a name under Placeholders."],
    ["category", "Gossip", expect.stringContaining("Tips")],
    ["date", "tomorrow", "A day, such as 2026-11-26"],
    ["related", "a b c d", "At most three products"],
    ["pictureAlt", "a".repeat(2001), "At most 2000 characters"],
  ])("a field: %s “%s”", (name, value, problem) => {
    expect(problemsOf("Fine.", { [name]: value })).toEqual({ [name]: problem });
  });

  it.each([
    ["Hi!\n\n![A bowl](lifestyle-week)", "Line 3 has a picture, which emails cannot show."],
    [
      "Hi!\n\n**Sizes**\n\n| Bowl | Cups |\n| --- | --- |\n| Pro | 4 |",
      "Line 5 has a table, which emails cannot show.",
    ],
  ])("in an email what it cannot show: %j", (markdown, problem) => {
    const key = "emails-order-delivered";
    expect(textProblems({ key, fields: { subject: "Hi" }, markdown, publishAt: null }).markdown).toContain(problem);
    expect(problemsOf(markdown)).toEqual({});
  });

  it("questions without a question", () => {
    expect(textProblems({ key: "faq", fields: {}, markdown: "Yes.", publishAt: null }).markdown).toContain(
      "is a heading",
    );
  });
});

it.each<[until: string, publishAt: string | null, isRefused: boolean]>([
  ["2020-01-01T12:00", null, true],
  ["2098-12-31T12:00", "2099-01-01T12:00:00Z", true],
  ["2099-01-02T12:00", "2099-01-01T12:00:00Z", false],
  ["2099-01-01T12:00", null, false],
  ["", null, false],
])("a notice until %j, published %s", (until, publishAt, isRefused) => {
  const fields = { text: "Closed on Thursday", to: "", label: "", until };
  const written = { key: "notice", fields, markdown: "", publishAt: publishAt ? new Date(publishAt) : null };
  const problem = "This is past when the notice begins, so no one would see it. Choose a later time, or none";
  expect(textProblems(written)).toEqual(isRefused ? { until: problem } : {});
  expect(textProblems({ ...written, isDraft: true })).toEqual({});
});

it("what is right is taken", () => {
  expect(
    problemsOf(
      "## Hi\n\n[a](/x) [b](https://x.example/) [c](mailto:a@b.c) [d](#e) {returnDays}\n\n![x](lifestyle-week)",
    ),
  ).toEqual({});
});

it("HTML that is stored all the same is shown as text", () => {
  const html = renderToStaticMarkup(contentOf("<b>bold</b> <script>alert(1)</script>", "headings")({}));
  expect(html).toBe("<p>&lt;b&gt;bold&lt;/b&gt; &lt;script&gt;alert(1)&lt;/script&gt;</p>");
});

it("a post without a day has the day of its publication in New York", () => {
  const at = new Date("2026-12-02T03:00:00Z");
  expect(withDay("posts-x", { date: "" }, at).date).toBe("2026-12-01");
  expect(withDay("posts-x", { date: "" }, null).date).toBe("");
  expect(withDay("posts-x", { date: "2026-05-05" }, at).date).toBe("2026-05-05");
});
