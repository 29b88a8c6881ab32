import { useEffect, useRef, useState } from "react";
import { X } from "lucide-react";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { Picture } from "../../../ui/product/picture.tsx";
import { WaitlistForm, type Joined } from "./waitlist-form.tsx";

/** The invitation to the waitlist. */
export function WaitlistPopup({ onClose }: { onClose: (as: "closed" | "joined") => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [joinedAs, setJoinedAs] = useState<Joined | null>(null);
  const close = () => dialog.current?.close();

  // Not the first field: on a phone that would open the keyboard for somebody who has not asked for it.
  useEffect(() => title.current?.focus(), [joinedAs]);

  return (
    <Dialog
      ref={dialog}
      opensOnMount
      aria-labelledby="waitlist-title"
      onClose={() => onClose(joinedAs ? "joined" : "closed")}
      className="m-auto w-full max-w-none overscroll-contain bg-paper text-ink opacity-100 transition-opacity duration-250 ease-out backdrop:bg-ink/50 max-sm:mb-0 max-sm:max-h-[calc(100dvh-24px)] max-sm:rounded-t-[20px] sm:max-h-[min(92dvh,900px)] sm:w-[min(100vw-64px,500px)] sm:rounded-[20px] lg:w-[920px] starting:open:opacity-0"
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
              <p className="mt-4 text-lg text-ink-soft">
                {joinedAs.isConfirmed ? "You have verified " : "We sent a link to "}
                <span className="font-medium text-ink">{joinedAs.email}</span>
                {joinedAs.isConfirmed
                  ? ", so your place is confirmed."
                  : ". Open it within 24 hours to verify your email, and your place is confirmed."}
              </p>
              <button type="button" onClick={close} className="button button-primary mt-8 w-full">
                Got it
              </button>
            </>
          ) : (
            <WaitlistForm onJoined={setJoinedAs} onClose={close} />
          )}
        </div>
      </div>
    </Dialog>
  );
}
