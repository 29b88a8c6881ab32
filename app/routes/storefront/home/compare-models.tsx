import { useState, type FormEvent } from "react";
import type { ComparedModel } from "../../../../shop/catalog/shown-product.ts";

const load = () => import("./compare-dialog.tsx");
const loadAhead = () => void load().catch(() => {});

/** Opens the comparison; without JavaScript, or when it cannot be loaded, the shop with both models. */
export function CompareModels({ pro, classic }: { pro: ComparedModel; classic: ComparedModel | undefined }) {
  const [Dialog, setDialog] = useState<Awaited<ReturnType<typeof load>>["CompareDialog"] | null>(null);
  const [open, setOpen] = useState(false);

  function compare(event: FormEvent<HTMLFormElement>) {
    if (!classic) return;
    event.preventDefault();
    const form = event.currentTarget;
    load().then(
      (loaded) => {
        setDialog(() => loaded.CompareDialog);
        setOpen(true);
      },
      () => form.submit(),
    );
  }

  return (
    <>
      <form action="/shop" onSubmit={compare} onMouseEnter={loadAhead} onPointerDown={loadAhead}>
        <input type="hidden" name="category" value="Classic" />
        <input type="hidden" name="category" value="Pro" />
        <button type="submit" aria-haspopup="dialog" className="button button-quiet w-full">
          Compare Models
        </button>
      </form>
      {open && Dialog && classic && <Dialog pro={pro} classic={classic} onClose={() => setOpen(false)} />}
    </>
  );
}
