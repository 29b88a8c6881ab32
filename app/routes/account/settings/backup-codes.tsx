import { Check, Copy, Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { brand } from "../../../../shop/brand.ts";

/** Shown once: each lets the customer in when the phone is not there. */
export function BackupCodes({ codes }: { codes: string[] }) {
  const [copied, setCopied] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, [codes]);
  const text = codes.join("\n");
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${brand.name} backup codes. Each works once.\n\n${text}\n`)}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Where the browser does not allow it, the codes can still be selected or downloaded.
    }
  };
  return (
    <div className="mb-7 rounded-[10px] bg-paper p-5 sm:p-6">
      <h3 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        Your backup codes
      </h3>
      <p className="mt-2 max-w-[56ch] text-[15px]">
        Each signs you in once when your phone is not at hand. They are not shown again, so keep them somewhere safe.
      </p>
      <ul className="mt-4 grid gap-x-6 gap-y-1.5 font-mono text-[15px] sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-5 flex flex-wrap gap-3">
        <button type="button" onClick={() => void copy()} className="button button-quiet min-h-11 noscript:hidden">
          {copied ? <Check size={17} aria-hidden="true" /> : <Copy size={17} aria-hidden="true" />}
          <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
        </button>
        <a href={file} download="polara-backup-codes.txt" className="button button-quiet min-h-11">
          <Download size={17} aria-hidden="true" />
          Download
        </a>
      </div>
    </div>
  );
}
