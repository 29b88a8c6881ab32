import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { FormRoutes } from "#app/ui/form/plain-form.tsx";
import { Dialog } from "#app/ui/overlay/dialog.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { useClock } from "#app/ui/time/countdown.tsx";
import { clock } from "#shop/clock.ts";
import { COUNTDOWN_SECONDS } from "#shop/waitlist/waitlist-form.ts";
import { INTRO, Joined, useWaitlistResult, WaitlistForm } from "./waitlist-form.tsx";

const ACTIONS = ["/waitlist/join"];

export function WaitlistPopup({ onClose }: { onClose: (as: "closed" | "joined") => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const answer = useWaitlistResult();
  const joinedAs = answer?.isRegistered === false ? answer : null;
  const close = () => dialog.current?.close();

  useEffect(() => {
    if (answer?.isRegistered) dialog.current?.close();
  }, [answer]);
  // Focusing the first field would open the keyboard on a phone.
  useEffect(() => title.current?.focus(), [joinedAs]);

  return (
    <Dialog
      ref={dialog}
      opensOnMount
      aria-labelledby="waitlist-title"
      onClose={() => onClose(joinedAs ? "joined" : "closed")}
      className="m-auto w-full max-w-none overscroll-contain bg-paper text-ink opacity-100 transition-opacity duration-250 ease-out backdrop:bg-ink/50 max-sm:mb-0 max-sm:max-h-[calc(100dvh-24px)] max-sm:rounded-t-card sm:max-h-[min(92dvh,900px)] sm:w-[min(100vw-64px,500px)] sm:rounded-card lg:w-[920px] starting:open:opacity-0"
    >
      <div className="grid lg:grid-cols-[1fr_1.1fr]">
        <Picture
          name="pro-earth-green-open"
          alt=""
          sizes="440px"
          className="hidden lg:block"
          imgClassName="h-full w-full object-cover object-[14%_50%]"
        />
        <div className="relative px-6 pt-7 pb-7 sm:p-11">
          <button
            type="button"
            aria-label="Close"
            onClick={close}
            className="icon-button absolute top-3 right-3 sm:top-4 sm:right-4"
          >
            <X size={24} strokeWidth={1.75} aria-hidden />
          </button>
          <h2 ref={title} id="waitlist-title" tabIndex={-1} className="heading pr-10 outline-none">
            {joinedAs ? "You're in!" : "Join the waitlist"}
          </h2>
          {joinedAs ? (
            <>
              <Joined {...joinedAs} />
              <button type="button" onClick={close} className="button button-primary mt-8 w-full">
                Got it
              </button>
            </>
          ) : (
            <>
              <p className="mt-3 text-lg text-ink-soft">{INTRO}</p>
              <NoRush />
              <WaitlistForm />
            </>
          )}
        </div>
      </div>
      <FormRoutes actions={ACTIONS} />
    </Dialog>
  );
}

/** The popup's countdown, which has no effect at zero. */
function NoRush() {
  const [end] = useState(() => clock.now().getTime() + COUNTDOWN_SECONDS * 1000);
  const left = useClock((now) => Math.max(0, Math.ceil((end - now) / 1000)), COUNTDOWN_SECONDS);
  const two = (value: number) => String(value).padStart(2, "0");
  return (
    <p className="mt-5 flex items-baseline justify-between gap-4 border-y border-line py-3">
      <span>{left > 0 ? "No rush. This form stays open for" : "You can still join"}</span>
      <span role="timer" aria-live="off" className="text-lg font-semibold tabular-nums">
        {`${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`}
      </span>
    </p>
  );
}
