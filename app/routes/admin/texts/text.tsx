import type { ReactNode } from "react";
import { Link } from "react-router";
import { db } from "#platform/database.server.ts";
import { listProductNames } from "#shop/catalog/back-office/product-list.server.ts";
import { getVersion, listVersions, type VersionRow } from "#shop/content/edit-text.server.ts";
import { publishedText, withPreview } from "#shop/content/published.server.ts";
import { newYorkDay, newYorkField } from "#shop/new-york-time.ts";
import { announcedAt } from "#shop/privacy/notices.server.ts";
import { fillWords, textWords, usedWords } from "#shop/content/text-words.ts";
import { POST_CATEGORIES } from "#shop/content/texts.server.ts";
import { AdminCheckbox, AdminForm } from "#app/ui/admin/field.tsx";
import { PageHead, Section } from "#app/ui/admin/page-head.tsx";
import { AdminTable, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import type { Route } from "./+types/text.ts";
import { Announce, type Announced } from "./announce.tsx";
import { Editor, hasPictures } from "./editor.tsx";
import { labelOf, partOf } from "./field-names.ts";
import { LivePreview, usePreview } from "./live-preview.tsx";
import { PictureMenu } from "./picture-menu.tsx";
import {
  emailSamples,
  momentOf,
  newestPublished,
  pageOf,
  placeholdersOf,
  requireText,
  stateOf,
} from "./state.server.ts";
import { nameOf, TextStatus, type TextState } from "./status.tsx";

const LONG_FIELD = 70;

export async function loader({ params, request }: Route.LoaderArgs) {
  const { key } = params;
  const first = requireText(key);
  const versions = await listVersions(db, key);
  const newest = versions[0]?.version ?? 0;
  const asked = new URL(request.url).searchParams;
  const from =
    [0, ...versions.map(({ version }) => version)].find((one) => String(one) === asked.get("from")) ?? newest;
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
  const states = versions.map((row) => ({ ...row, state: stateOf(row, shown) }));
  const scheduled = states.find(({ version, state }) => version === opened?.version && state === "scheduled");
  return {
    key,
    group: first.group,
    path: await pageOf(first),
    title: nameOf(key) ?? fillWords(fields.title || "New post"),
    isTakenDown: !first.hasOriginal && versions[0]?.isWithdrawn === true,
    isShown: shown !== null || first.markdown !== "",
    isUnseen: shown === null,
    hasOriginal: first.hasOriginal,
    canWithdraw: first.group !== "Legal texts" && published?.isWithdrawn === false,
    newest,
    /** The version that the address asks for. */
    from: asked.get("from"),
    opened: opened?.version ?? 0,
    markdown,
    used: usedWords(markdown ?? ""),
    fields: Object.keys(first.fields).map((name) => {
      const typed = fields[name as keyof typeof fields] ?? "";
      // The day of a post follows its schedule unless staff chose it.
      const value = name === "date" && scheduled?.publishAt && typed === newYorkDay(scheduled.publishAt) ? "" : typed;
      const isLong = value.length > LONG_FIELD;
      return { name, label: labelOf(name), part: partOf(name), value, isLong, used: usedWords(value) };
    }),
    versions: states,
    /** Time at which the open version will be shown, as in its fields. */
    publishAt: scheduled?.publishAt && !scheduled.effectiveOn ? newYorkField(scheduled.publishAt) : "",
    effectiveOn: scheduled?.effectiveOn ?? "",
    scheduled: scheduled?.publishAt ? { version: scheduled.version, at: scheduled.publishAt } : null,
    words: Object.entries(textWords()),
    placeholders: Object.entries(placeholdersOf(key)),
    sent: momentOf(key)?.sent ?? "",
    categories: [...POST_CATEGORIES],
    products: first.group === "Posts" ? await listProductNames(db) : [],
    samples: opened ? withPreview(opened, () => emailSamples(key)) : emailSamples(key),
    announced: await announcedOf(key, versions),
  };
}

/** The newest published version of a legal text. */
async function announcedOf(key: string, versions: VersionRow[]): Promise<Announced | null> {
  const { version, effectiveOn } = newestPublished(versions) ?? {};
  if (!version || !effectiveOn) return null;
  return { version, effectiveOn, announcedAt: await announcedAt(db, key, version) };
}

export { action } from "./actions.server.ts";
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

type Loaded = Route.ComponentProps["loaderData"];
type VersionLine = Loaded["versions"][number] & { path: string };

/** From when a version is shown. A replaced one has no address in the store. */
function From({ state, publishAt, effectiveOn, path }: VersionLine) {
  if (!publishAt) return null;
  const at = effectiveOn ? <span>{effectiveOn}</span> : <When at={publishAt} />;
  return (
    <span className="block text-ink-soft">
      from {effectiveOn && state !== "replaced" ? <a href={`${path}/${effectiveOn}`}>{at}</a> : at}
    </span>
  );
}

const VERSIONS: Column<VersionLine>[] = [
  {
    header: "Version",
    cell: ({ version }) => version,
    href: ({ key, version }) => `/admin/texts/${key}?from=${version}`,
  },
  {
    header: "Status",
    cell: (version) => (
      <>
        <TextStatus state={version.state as TextState} />
        <From {...version} />
      </>
    ),
  },
  {
    header: "Written",
    phone: "label",
    cell: ({ createdAt, by }) => (
      <>
        <When at={createdAt} /> {by && <span>{`by ${by}`}</span>}
      </>
    ),
  },
];

type Withdrawable = Pick<Loaded, "newest" | "hasOriginal" | "canWithdraw" | "isUnseen">;

/** The form stays mounted, so that it can show its result. */
function Withdraw({ newest, hasOriginal, canWithdraw, isUnseen }: Withdrawable) {
  const [words, question] = isUnseen
    ? ["Cancel the schedule", "Keep it out of the store"]
    : hasOriginal
      ? ["Restore the original", "Show the original in place of what was published"]
      : ["Remove from store", "Yes, remove it from the store"];
  return (
    <AdminForm intent="withdraw">
      {canWithdraw && (
        <Section title={words}>
          <input type="hidden" name="version" value={newest} />
          <AdminCheckbox name="sure" label={question} />
          <Submit className="btn btn-danger">{words}</Submit>
        </Section>
      )}
    </AdminForm>
  );
}

function openedWords({ opened, newest, isTakenDown }: Loaded): string {
  if (opened === newest) return "";
  if (opened === 0) return "The original is open";
  return isTakenDown ? `Withdrawn, version ${opened} is open` : `Version ${opened} is open`;
}

/** The version that the store shows in place of the one that is open. */
function shownWords({ versions, isShown }: Loaded): string {
  const live = versions.find(({ state }) => state === "live");
  if (live) return `The store shows version ${live.version}.`;
  return isShown ? "The store shows the original." : "Not in the store yet.";
}

function State({ loaded }: { loaded: Loaded }) {
  const { state = "first", publishAt } = loaded.versions.find(({ version }) => version === loaded.opened) ?? {};
  if (state === "first" && !loaded.hasOriginal) return <span>Not saved yet.</span>;
  return (
    <span className="flex flex-wrap gap-x-3">
      <span>{loaded.sent}</span>
      <TextStatus state={state as TextState} />
      {state === "scheduled" && publishAt && <When at={publishAt} />}
      {(state === "draft" || state === "scheduled") && <span>{shownWords(loaded)}</span>}
      <span>{openedWords(loaded)}</span>
    </span>
  );
}

/** The form beside the preview of what is typed in it, with `children` below the form. */
function Writing({ loaded, children }: { loaded: Loaded; children: ReactNode }) {
  const preview = usePreview(loaded.key, loaded.samples);
  return (
    <div className="grid gap-x-10 gap-y-10 xl:grid-cols-2">
      <div className="grid min-w-0 content-start gap-10">
        <Editor loaded={loaded} problem={preview.problem} />
        {hasPictures(loaded) && <PictureMenu />}
        {children}
      </div>
      <LivePreview preview={preview} isEmail={loaded.group === "Emails"} />
    </div>
  );
}

export default function TextScreen({ loaderData }: Route.ComponentProps) {
  const { key, title, path, isShown, isUnseen, hasOriginal, canWithdraw, newest, from, versions, announced } =
    loaderData;
  return (
    <>
      <p className="mb-1">
        <Link to="/admin/texts" className="admin-link">
          Texts
        </Link>
      </p>
      <PageHead title={title} note={<State loaded={loaderData} />}>
        {isShown && path && (
          <a href={path} className="btn">
            View in store
          </a>
        )}
      </PageHead>
      <Writing key={`${key}-${from}`} loaded={loaderData}>
        {announced && <Announce key={announced.version} {...announced} />}
        <Section title="Versions">
          <p className="text-ink-soft">Open an earlier version and publish it to undo a change.</p>
          <AdminTable
            label="Versions"
            columns={VERSIONS}
            rows={versions.map((version) => ({ ...version, path }))}
            rowKey={({ version }) => version}
            empty="No one has changed this text yet."
          />
          {hasOriginal && versions.length > 0 && (
            <Link to="?from=0" className="admin-link">
              Open the original
            </Link>
          )}
        </Section>
        <Withdraw newest={newest} hasOriginal={hasOriginal} canWithdraw={canWithdraw} isUnseen={isUnseen} />
      </Writing>
    </>
  );
}
