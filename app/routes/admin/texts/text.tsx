import { Link } from "react-router";
import { db } from "#platform/database.server.ts";
import { listProductNames } from "#shop/catalog/back-office/product-list.server.ts";
import { getVersion, listVersions, type VersionRow } from "#shop/content/edit-text.server.ts";
import { publishedText, type TextVersion, withPreview } from "#shop/content/published.server.ts";
import { newYorkField } from "#shop/new-york-time.ts";
import { emails } from "#shop/emails.server.ts";
import { announcedAt } from "#shop/privacy/notices.server.ts";
import { reworded } from "#shop/mail/reworded.server.tsx";
import { config } from "#platform/config.server.ts";
import { fillWords, textWords, usedWords } from "#shop/content/text-words.ts";
import { POST_CATEGORIES } from "#shop/content/texts.server.ts";
import { AdminCheckbox, AdminForm } from "#app/ui/admin/field.tsx";
import { PageHead, Section } from "#app/ui/admin/page-head.tsx";
import { AdminTable, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import type { Route } from "./+types/text.ts";
import { Announce, type Announced } from "./announce.tsx";
import { Editor } from "./editor.tsx";
import { EmailPreview } from "./email-preview.tsx";
import { labelOf, partOf } from "./field-names.ts";
import { emailOf, pageOf, requireText, stateOf } from "./state.server.ts";
import { nameOf, TextStatus, type TextState } from "./status.tsx";

const LONG_FIELD = 70;

export async function loader({ params, request }: Route.LoaderArgs) {
  const { key } = params;
  const first = requireText(key);
  const versions = await listVersions(db, key);
  const newest = versions[0]?.version ?? 0;
  const asked = new URL(request.url).searchParams;
  const from = Number(asked.get("from") ?? newest);
  // A withdrawn version has no words: without an original, the last ones are opened.
  const worded = first.hasOriginal ? undefined : versions.find((row) => row.version <= from && !row.isWithdrawn);
  const opened = from > 0 ? await getVersion(db, key, worded?.version ?? from) : null;
  const fields = {
    ...first.fields,
    ...(newest === 0 && { title: asked.get("title") ?? first.fields.title ?? "" }),
    ...opened?.fields,
  };
  const markdown = first.markdown === null ? null : (opened?.markdown ?? first.markdown);
  const shown = publishedText(key);
  const published = versions.find(({ publishAt }) => publishAt !== null);
  const states = versions.map((row) => ({ ...row, state: stateOf(row, shown, versions) }));
  const scheduled = states.find(({ version, state }) => version === opened?.version && state === "scheduled");
  return {
    key,
    group: first.group,
    path: await pageOf(first),
    title: nameOf(key) ?? fillWords(fields.title || "New post"),
    isTakenDown: !first.hasOriginal && versions[0]?.isWithdrawn === true,
    isShown: shown !== null || first.markdown !== "",
    hasOriginal: first.hasOriginal,
    canWithdraw: first.group !== "Legal texts" && published?.isWithdrawn === false,
    newest,
    /** The version that the address asks for. */
    from: asked.get("from"),
    opened: opened?.version ?? 0,
    markdown,
    used: usedWords(markdown ?? ""),
    fields: Object.keys(first.fields).map((name) => {
      const value = fields[name as keyof typeof fields] ?? "";
      const isLong = value.length > LONG_FIELD;
      return { name, label: labelOf(name), part: partOf(name), value, isLong, used: usedWords(value) };
    }),
    versions: states,
    /** When the version that is open will be shown, as its fields have it. */
    publishAt: scheduled?.publishAt && !scheduled.effectiveOn ? newYorkField(scheduled.publishAt) : "",
    effectiveOn: scheduled?.effectiveOn ?? "",
    words: Object.entries(textWords()),
    categories: [...POST_CATEGORIES],
    products: first.group === "Posts" ? await listProductNames(db) : [],
    samples: emailSamples(key, opened),
    announced: await announcedOf(key, versions),
  };
}

/** The newest published version of a legal text. */
async function announcedOf(key: string, versions: VersionRow[]): Promise<Announced | null> {
  const { version, effectiveOn } = versions.find(({ publishAt }) => publishAt !== null) ?? {};
  if (!version || !effectiveOn) return null;
  return { version, effectiveOn, announcedAt: await announcedAt(db, key, version) };
}

/** An email with sample data, as it reads with the version that is open. */
function emailSamples(key: string, opened: TextVersion | null) {
  const template = emailOf(key);
  if (!template) return [];
  const read = () =>
    Object.entries(emails[template].samples(config())).map(([name, email]) => {
      const { subject, html } = reworded(template, email, config());
      return { name, subject, html };
    });
  return opened ? withPreview(opened, read) : read();
}

export { action } from "./actions.server.ts";
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

type Loaded = Route.ComponentProps["loaderData"];
function EmailPreviews({ samples }: Pick<Loaded, "samples">) {
  if (samples.length === 0) return null;
  return (
    <Section title="Preview">
      {samples.map((sample) => (
        <EmailPreview key={sample.name} {...sample} />
      ))}
    </Section>
  );
}

function Help({ words, markdown }: Pick<Loaded, "words" | "markdown">) {
  return (
    <Section title="Writing">
      {markdown !== null && (
        <ul className="grid gap-1.5 text-ink-soft">
          <li>An empty line begins a new paragraph.</li>
          <li>
            <code>## Heading</code>, <code>### Smaller heading</code>; <code>{"## Heading {#its-address}"}</code> names
            it for links.
          </li>
          <li>
            <code>**bold**</code>, <code>_italic_</code>, <code>- item</code>, <code>1. step</code>
          </li>
          <li>
            <code>[words](/support)</code>, or an address with https:// or mailto:
          </li>
          <li>
            <code>![what it shows](lifestyle-week)</code>, a picture of the shop by its name
          </li>
          <li>
            Tables have lines such as <code>| Apple | Cold |</code>, below a first line and <code>| --- | --- |</code>.
          </li>
        </ul>
      )}
      <details>
        <summary className="min-h-9 font-medium">Numbers</summary>
        <p className="text-ink-soft">They follow the settings, in every text.</p>
        <dl className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-2 xl:grid-cols-1">
          {words.map(([name, value]) => (
            <div key={name}>
              <dt>
                <code>{`{${name}}`}</code>
              </dt>
              <dd className="text-ink-soft">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Section>
  );
}

type VersionLine = Loaded["versions"][number] & { path: string };

const VERSIONS: Column<VersionLine>[] = [
  {
    header: "Version",
    cell: ({ version }) => version,
    href: ({ key, version }) => `/admin/texts/${key}?from=${version}`,
  },
  {
    header: "Status",
    cell: ({ state, publishAt, effectiveOn, path }) => (
      <>
        <TextStatus state={state as TextState} />
        {publishAt && (
          <span className="block text-ink-soft">
            from {effectiveOn ? <a href={`${path}/${effectiveOn}`}>{effectiveOn}</a> : <When at={publishAt} />}
          </span>
        )}
      </>
    ),
  },
  {
    header: "Written",
    phone: "label",
    cell: ({ createdAt, by }) => (
      <>
        <When at={createdAt} /> {by && `by ${by}`}
      </>
    ),
  },
];

/** The form stays mounted, so that it can show its result. */
function Withdraw({ newest, hasOriginal, canWithdraw }: Pick<Loaded, "newest" | "hasOriginal" | "canWithdraw">) {
  const words = hasOriginal ? "Restore the original" : "Take it down";
  return (
    <AdminForm intent="withdraw">
      {canWithdraw && (
        <Section title={words}>
          <input type="hidden" name="version" value={newest} />
          <AdminCheckbox
            name="sure"
            label={hasOriginal ? "Show the original in place of what was published" : "Remove it from the store"}
          />
          <Submit className="btn btn-danger">{words}</Submit>
        </Section>
      )}
    </AdminForm>
  );
}

function openedWords({ opened, isTakenDown }: Pick<Loaded, "opened" | "isTakenDown">): string {
  if (opened === 0) return "The original is open";
  return isTakenDown ? `Withdrawn, version ${opened} is open` : `Version ${opened} is open`;
}

export default function TextScreen({ loaderData }: Route.ComponentProps) {
  const {
    key,
    title,
    path,
    isShown,
    hasOriginal,
    canWithdraw,
    newest,
    opened,
    from,
    versions,
    samples,
    announced,
    words,
    markdown,
  } = loaderData;
  return (
    <>
      <p className="mb-1">
        <Link to="/admin/texts" className="admin-link">
          Texts
        </Link>
      </p>
      <PageHead title={title} note={opened === newest ? undefined : openedWords(loaderData)}>
        {isShown && path && (
          <a href={path} className="btn">
            View in store
          </a>
        )}
      </PageHead>
      <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_minmax(0,440px)]">
        <Editor key={`${key}-${from}`} loaded={loaderData} />
        <div className="grid content-start gap-10">
          <EmailPreviews samples={samples} />
          {announced && <Announce key={announced.version} {...announced} />}
          <Help words={words} markdown={markdown} />
          <Section title="Versions">
            <p className="text-ink-soft">Open an earlier version and publish it to undo a change.</p>
            <AdminTable
              label="Versions"
              columns={VERSIONS}
              rows={versions.map((version) => ({ ...version, path }))}
              rowKey={({ version }) => version}
              empty="Nobody has changed this text yet."
            />
            {hasOriginal && versions.length > 0 && (
              <Link to="?from=0" className="admin-link">
                Open the original
              </Link>
            )}
          </Section>
          <Withdraw newest={newest} hasOriginal={hasOriginal} canWithdraw={canWithdraw} />
        </div>
      </div>
    </>
  );
}
