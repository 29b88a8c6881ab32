/** Announcing a published version of a legal text by email. */
import { counted } from "#shop/units.ts";
import { AdminArea } from "#app/ui/admin/field.tsx";
import { Section } from "#app/ui/admin/page-head.tsx";
import { dayWords, When } from "#app/ui/admin/when.tsx";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { SampleFrame } from "./sample-frame.tsx";

export type Announced = { version: number; effectiveOn: string; announcedAt: Date | null };
type Preview = { subject: string; html: string; summary: string; recipients: number };

export function Announce({ version, effectiveOn, announcedAt }: Announced) {
  return (
    <Section title="Email customers about this change">
      {announcedAt ? (
        <p>
          <span>{`Version ${version} was announced `}</span>
          <When at={announcedAt} />.
        </p>
      ) : (
        <Form<Record<string, string>, Preview>
          id="announce"
          action="?intent=announce"
          messageAt="end"
          className="grid justify-items-start gap-3"
        >
          {({ result }) => (
            <>
              <p className="text-ink-soft">
                Version <span>{version}</span>, which counts from <span>{dayWords(effectiveOn)}</span>. Everyone with a
                verified account or an order gets the email once.
              </p>
              <input type="hidden" name="version" value={version} />
              <AdminArea
                name="summary"
                label="What changes"
                hint="In plain words. The day and the address of the text are added."
                defaultValue={result?.data?.summary}
                className="w-full"
              />
              <Submit name="do" value="preview" className="btn">
                Preview email
              </Submit>
              {result?.data && (
                <>
                  <SampleFrame name="Preview" {...result.data} className="h-140" />
                  <Submit name="do" value="send" className="btn btn-primary">
                    {`Email ${counted(result.data.recipients, "customer")}`}
                  </Submit>
                </>
              )}
            </>
          )}
        </Form>
      )}
    </Section>
  );
}
