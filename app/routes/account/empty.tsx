import { Link } from "react-router";
import { Picture } from "#app/ui/product/picture.tsx";

export function Empty({ title, text, picture }: { title: string; text: string; picture: string }) {
  return (
    <div className="grid grid-cols-1 items-center justify-center justify-items-center gap-x-16 gap-y-8 py-4 text-center lg:grid-cols-[320px_auto] lg:justify-items-start lg:py-10 lg:text-left">
      <Picture
        name={picture}
        alt=""
        sizes="(min-width: 1024px) 320px, (min-width: 640px) 288px, 208px"
        priority
        className="w-52 max-w-full sm:w-72 lg:w-full"
        imgClassName="aspect-square w-full rounded-card object-cover"
      />
      <div className="grid justify-items-center gap-4 lg:justify-items-start">
        <h2 className="text-2xl font-semibold lg:text-3xl">{title}</h2>
        <p className="max-w-sm text-ink-soft lg:text-lg">{text}</p>
        <Link to="/shop" className="button button-primary mt-3">
          Continue Shopping
        </Link>
      </div>
    </div>
  );
}
