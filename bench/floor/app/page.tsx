import { Link } from "react-router";
import { Picture } from "../../../app/ui/product/picture.tsx";

/** A heading, a link and the picture that home begins with. */
export default function Page() {
  return (
    <main className="page">
      <h1 className="display">Fresh food, 3x longer.</h1>
      <Link to="/" className="button button-primary">
        Pre-Order
      </Link>
      <Picture name="banner" alt="A bowl" sizes="810px" priority imgClassName="h-84 w-full rounded-card object-cover" />
    </main>
  );
}
