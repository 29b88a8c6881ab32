import { ArrowUpRight, Check, X } from "lucide-react";
import { LocalTime } from "#app/ui/time/local-time.tsx";
import type { Parcel, Step } from "./order-timeline.ts";

/** The latest past step is the current one. */
export function Timeline({ steps, isEnded }: { steps: Step[]; isEnded: boolean }) {
  const now = steps.findLastIndex(({ at }) => at !== null);
  return (
    <section aria-labelledby="timeline" className="self-start rounded-card bg-card px-5 py-7 sm:p-9 lg:p-11">
      <h2 id="timeline" className="sr-only">
        Timeline
      </h2>
      <ol>
        {steps.map((step, i) => (
          <TimelineStep
            key={`${step.title} ${i}`}
            step={step}
            isNow={i === now}
            isFollowed={i < steps.length - 1}
            leadsOn={i < now}
            isEnded={isEnded && i === now}
          />
        ))}
      </ol>
    </section>
  );
}

type TimelineStepProps = { step: Step; isNow: boolean; isFollowed: boolean; leadsOn: boolean; isEnded: boolean };

function TimelineStep({ step, isNow, isFollowed, leadsOn, isEnded }: TimelineStepProps) {
  const { title, text, at, parcel } = step;
  return (
    <li
      aria-current={isNow ? "step" : undefined}
      className="relative grid grid-cols-[28px_minmax(0,1fr)] gap-x-5 pb-9 last:pb-0 sm:gap-x-6"
    >
      {isFollowed && (
        <span
          aria-hidden="true"
          className={`absolute top-7 bottom-0 left-[13px] border-l-2 ${leadsOn ? "border-leaf" : "border-dashed border-[#b9b8b1]"}`}
        />
      )}
      <Dot step={step} isNow={isNow} isEnded={isEnded} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5">
          <p className={`text-lg leading-7 ${isNow ? "text-xl font-semibold" : at ? "font-medium" : "text-ink-soft"}`}>
            <span>{title}</span>
            {!at && <span className="sr-only"> (still to come)</span>}
          </p>
          {at && (
            <p className="text-[15px] text-ink-soft tabular-nums">
              <LocalTime date={at} as="moment" />
            </p>
          )}
        </div>
        {text && <p className="mt-0.5 text-ink-soft">{text}</p>}
        {parcel && <ParcelLines parcel={parcel} />}
      </div>
    </li>
  );
}

function Dot({ step: { at, isTrouble }, isNow, isEnded }: { step: Step; isNow: boolean; isEnded: boolean }) {
  const dot = "relative mt-0 grid size-7 place-items-center rounded-full";
  if (!at) return <span aria-hidden="true" className={`${dot} border-2 border-[#b9b8b1] bg-card`} />;
  const color = isEnded ? "bg-ink text-white" : isTrouble ? "bg-saving text-white" : "bg-leaf text-white";
  return (
    <span
      aria-hidden="true"
      className={`${dot} ${color} ${isNow && !isEnded ? `ring-6 ${isTrouble ? "ring-saving-soft" : "ring-leaf-light"}` : ""}`}
    >
      {isEnded ? (
        <X size={16} strokeWidth={2.5} />
      ) : isTrouble ? (
        <span className="text-base leading-none font-bold">!</span>
      ) : (
        <Check size={16} strokeWidth={2.5} />
      )}
    </span>
  );
}

function ParcelLines({ parcel: { carrier, trackingNumber, url, items } }: { parcel: Parcel }) {
  return (
    <div className="mt-2">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <p className="min-w-0 shrink grow basis-52">
          <span className="block font-medium">{carrier}</span>
          <span className="block text-[15px] text-ink-soft [overflow-wrap:anywhere] tabular-nums">
            {trackingNumber}
          </span>
        </p>
        {url && (
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="button button-quiet max-w-full shrink-0"
            aria-label={`Track package ${trackingNumber}`}
          >
            Track package
            <ArrowUpRight size={18} strokeWidth={1.75} aria-hidden="true" />
          </a>
        )}
      </div>
      {items.length > 0 && (
        <ul className="mt-3 grid gap-1 text-[15px] text-ink-soft">
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
