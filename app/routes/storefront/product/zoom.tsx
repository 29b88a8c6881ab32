import { useEffect, useLayoutEffect, useRef } from "react";
import { X } from "lucide-react";
import { Dialog } from "#app/ui/overlay/dialog.tsx";
import { Picture, pictureOf } from "#app/ui/product/picture.tsx";

export type Press = { link: HTMLAnchorElement; name: string; at: globalThis.MouseEvent };

/**
 * An enlarged picture, scrolled to the pressed point. The dialog itself scrolls, so touch, wheel and arrow keys all pan
 * it.
 */
export function Zoom({ press, onClose }: { press: Press; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { width, height } = pictureOf(press.name)!;

  // Focus returns to the link on close: not every browser focuses a pressed link.
  useLayoutEffect(() => press.link.focus({ preventScroll: true }), [press]);
  useEffect(() => {
    const large = dialog.current;
    if (!large) return;
    const { link, at } = press;
    const { left, top, width: across, height: down } = link.getBoundingClientRect();
    // A keyboard click has no coordinates.
    const [x, y] = at.detail === 0 ? [0.5, 0.5] : [(at.clientX - left) / across, (at.clientY - top) / down];
    large.scrollTo(x * large.scrollWidth - large.clientWidth / 2, y * large.scrollHeight - large.clientHeight / 2);
  }, [press]);

  return (
    <Dialog
      ref={dialog}
      opensOnMount
      aria-label="Enlarged picture"
      onClose={onClose}
      onClick={() => dialog.current?.close()}
      className="m-0 size-full max-h-none max-w-none cursor-zoom-out overflow-auto overscroll-contain bg-photo text-ink transition-opacity duration-200 ease-out backdrop:bg-photo starting:open:opacity-0"
    >
      <div style={{ width: `max(100vw, ${Math.ceil((100 * +width!) / +height!)}dvh)` }}>
        {/* The button is sticky inside the scrolling dialog, so that arrow keys pressed on it scroll the dialog. */}
        <div className="sticky top-0 left-0 z-10 h-0 w-dvw">
          <button
            type="button"
            aria-label="Close picture"
            className="icon-button absolute top-4 right-5 bg-card hover:bg-paper!"
          >
            <X size={24} strokeWidth={1.75} aria-hidden />
          </button>
        </div>
        <Picture
          name={press.name}
          alt={press.link.querySelector("img")?.alt ?? ""}
          sizes="1600px"
          priority
          imgClassName="h-auto w-full"
        />
      </div>
    </Dialog>
  );
}
