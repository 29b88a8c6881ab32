export function EmailPreview({ name, subject, html }: { name: string; subject: string; html: string }) {
  return (
    <figure className="grid w-full gap-1">
      <figcaption>
        {name}: <span className="font-medium">{subject}</span>
      </figcaption>
      <iframe
        title={`Email ${name}`}
        srcDoc={html}
        sandbox=""
        className="h-[560px] w-full border border-line bg-white"
      />
    </figure>
  );
}
