import { useRef } from "react";
import type { ComparedModel } from "#shop/catalog/shown-product.ts";
import { X } from "lucide-react";
import { Dialog } from "#app/ui/overlay/dialog.tsx";
import { Comparison } from "#app/ui/product/comparison.tsx";

type CompareDialogProps = { pro: ComparedModel; classic: ComparedModel; onClose: () => void };

export function CompareDialog({ pro, classic, onClose }: CompareDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <Dialog
      ref={dialog}
      opensOnMount
      aria-labelledby="compare-title"
      onClose={onClose}
      className="m-auto w-full max-w-none overscroll-contain bg-paper text-ink backdrop:bg-ink/50 max-sm:h-dvh max-sm:max-h-none sm:max-h-[min(88dvh,900px)] sm:w-[min(100vw-64px,860px)] sm:rounded-card"
    >
      <div className="sticky top-0 z-10 flex h-18 items-center justify-between border-b border-line bg-paper px-5 sm:px-10">
        <h2 id="compare-title" className="text-xl font-semibold">
          Compare Models
        </h2>
        <button
          type="button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
          className="icon-button -mr-2.5"
        >
          <X size={24} strokeWidth={1.75} aria-hidden />
        </button>
      </div>
      <div className="px-5 pt-6 pb-4 sm:px-10 sm:pt-10">
        <Comparison models={[pro, classic]} />
      </div>
      {/* The list fades where the bottom edge cuts it. */}
      <div
        aria-hidden="true"
        className="pointer-events-none sticky bottom-0 h-14 bg-linear-to-t from-paper to-transparent"
      />
    </Dialog>
  );
}
