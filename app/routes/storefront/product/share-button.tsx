import { Share2 } from "lucide-react";
import { notify, notifyError } from "../../../ui/feedback/toast.ts";

export function ShareButton() {
  const share = async () => {
    const link = location.origin + location.pathname;
    try {
      await navigator.clipboard.writeText(link);
      notify("Link copied", "Product link has been copied to clipboard.");
    } catch {
      // Browsers keep the clipboard from pages without https.
      notifyError(`Copy the link yourself: ${link}`);
    }
  };
  return (
    <button type="button" className="button button-quiet px-4 text-[15px]" onClick={() => void share()}>
      <Share2 aria-hidden="true" size={18} strokeWidth={1.75} />
      Share
    </button>
  );
}
