import { formatMoney } from "#shop/money.ts";
import { PHOTO_TYPES } from "#shop/returns/photo.ts";
import { MAX_DESCRIPTION, MAX_PHOTOS, reasonOf } from "#shop/returns/return.ts";
import { SelectField, TextArea, type FormField } from "#app/ui/form/field.tsx";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { requestPath } from "./paths.ts";
import { chooseSchema, needsWords, NOT_SENT, reasonsFor, sendSchema } from "./request-form.ts";
import type { RequestData } from "./request.server.ts";

type Of<Step extends RequestData["step"]> = { orderId: string; asked: Extract<RequestData, { step: Step }> };

const FAILURE = { message: NOT_SENT };

/** The first step: the items and the reason. */
export function LinesForm({ orderId, asked: { kind, lines } }: Of<"lines">) {
  return (
    <Form
      id="lines"
      action={`${requestPath(orderId)}?kind=${kind}`}
      validate={(form) => parseForm(form, chooseSchema(lines, kind))}
      failure={FAILURE}
      className="mt-8 grid gap-6"
    >
      {({ fields: { reason, units } }) => (
        <>
          {lines.map(({ lineId, name, thumbnail, kinds }, i) => (
            <Quantity
              key={lineId}
              thumbnail={thumbnail}
              field={units as FormField}
              place={i}
              lineId={lineId}
              name={name}
              most={kinds[kind].units}
              isOnly={lines.length === 1}
            />
          ))}
          <SelectField field={reason as FormField} label="Why?" placeholder="Choose a reason">
            {reasonsFor(lines, kind).map((each) => (
              <option key={each} value={each}>
                {reasonOf(each).words}
              </option>
            ))}
          </SelectField>
          <Submit className="button button-primary justify-self-start">Continue</Submit>
        </>
      )}
    </Form>
  );
}

type QuantityProps = {
  field: FormField;
  place: number;
  lineId: string;
  name: string;
  thumbnail: string | null;
  most: number;
  isOnly: boolean;
};

/** Fields of all lines have one name, so each has its own id and value; the first shows their error. */
function Quantity({ field, place, lineId, name, thumbnail, most, isOnly }: QuantityProps) {
  const typed = [field.initialValue ?? []].flat() as string[];
  const values = Array.from({ length: most }, (_, n) => `${lineId}:${n + 1}`);
  const own = {
    id: `${field.id}-${place}`,
    name: field.name,
    errorId: `${field.errorId}-${place}`,
    errors: place === 0 ? field.errors : undefined,
    initialValue: values.find((value) => typed.includes(value)) ?? (isOnly ? values.at(-1) : ""),
  } as FormField;
  return (
    <div className="grid grid-cols-[64px_minmax(0,1fr)] items-center gap-4">
      <Picture
        name={thumbnail ?? ""}
        alt=""
        sizes="64px"
        imgClassName="aspect-square w-full rounded-[10px] object-cover"
      />
      <SelectField field={own} label={name} placeholder="0" required={false}>
        {values.map((value, n) => (
          <option key={value} value={value}>
            {n + 1}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

const differenceWords = (cents: number): string => {
  if (cents === 0) return "same price";
  return cents > 0 ? `${formatMoney(cents)} more` : `${formatMoney(-cents)} back`;
};

/** The last step: words, photos and, for an exchange, what is wanted instead. */
export function SendForm({ orderId, asked: { kind, reason, units, choices, formKey } }: Of<"send">) {
  const query = new URLSearchParams([
    ["kind", kind],
    ["reason", reason],
  ]);
  for (const [lineId, count] of Object.entries(units)) query.append("units", `${lineId}:${count}`);
  const isNeeded = needsWords(kind);
  return (
    <Form
      id="send"
      action={`${requestPath(orderId)}?${query}`}
      encType="multipart/form-data"
      validate={(form) => parseForm(form, sendSchema(kind))}
      failure={FAILURE}
      messageAt="end"
      className="mt-8 grid gap-6"
    >
      {({ fields }) => (
        <>
          <input type="hidden" name="formKey" value={(fields.formKey.initialValue as string) ?? formKey} />
          {kind === "exchange" && (
            <SelectField field={fields.exchange as FormField} label="What you’d like instead" placeholder="Choose">
              {choices.map(({ productId, name, differenceCents }) => (
                <option key={productId} value={`${productId}:${differenceCents}`}>
                  {`${name}, ${differenceWords(differenceCents)}`}
                </option>
              ))}
            </SelectField>
          )}
          <TextArea
            field={fields.description as FormField}
            label={isNeeded ? "What’s wrong?" : "Anything we should know?"}
            optional={!isNeeded}
            maxLength={MAX_DESCRIPTION}
            rows={5}
          />
          <Photos field={fields.photos as FormField} kind={kind} />
          <Submit busy="Sending..." className="button button-primary justify-self-start">
            Send request
          </Submit>
        </>
      )}
    </Form>
  );
}

function Photos({ field: { id, name, errors, errorId }, kind }: { field: FormField; kind: string }) {
  const error = errors?.[0];
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 flex justify-between gap-3 text-sm font-medium">
        Photos
        <span className="font-normal text-ink-soft">Optional</span>
      </label>
      <input
        id={id}
        type="file"
        name={name}
        multiple
        accept={PHOTO_TYPES}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-hint ${errorId}` : `${id}-hint`}
        className="block min-h-12 w-full rounded-[10px] border border-[#8a8d8a] bg-card p-2 text-base file:mr-4 file:min-h-9 file:rounded-full file:bg-leaf-light file:px-4 file:font-medium aria-invalid:border-error"
      />
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
        <span>{`Up to ${MAX_PHOTOS}${kind === "defect" ? ", of the product and the box" : ""}`}</span>. We remove where
        and when they were taken, and only we see them.
      </p>
      {error && (
        <p id={errorId} className="mt-1.5 text-sm font-medium text-error">
          {error}
        </p>
      )}
    </div>
  );
}
