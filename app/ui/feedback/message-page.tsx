import type { ReactNode } from "react";
import { Picture } from "#app/ui/product/picture.tsx";

type MessagePageProps = {
  heading: ReactNode;
  text: ReactNode;
  /** Not for a page that shows when nothing can be loaded. */
  picture?: string;
  /** The ways on. */
  children: ReactNode;
};

/** A page that says one thing, beside a picture: errors, missing things, links that have ended. */
export function MessagePage({ heading, text, picture, children }: MessagePageProps) {
  return (
    <section
      className={`page section grid min-h-[60vh] items-center gap-x-16 gap-y-10 ${picture ? "lg:grid-cols-2" : ""}`}
    >
      <div className="grid justify-items-start gap-5">
        <h1 className="heading grid gap-4">{heading}</h1>
        <p className="max-w-md text-lg text-ink-soft">{text}</p>
        <div className="mt-1 flex flex-wrap gap-3 max-sm:w-full max-sm:*:grow max-sm:*:basis-[40%] max-sm:*:first:basis-full">
          {children}
        </div>
      </div>
      {picture && (
        <Picture
          name={picture}
          alt=""
          sizes="(min-width: 1320px) 696px, (min-width: 1024px) 55vw, 104vw"
          priority
          imgClassName="aspect-4/3 w-full rounded-card object-cover object-[50%_65%] lg:aspect-5/4"
        />
      )}
    </section>
  );
}
