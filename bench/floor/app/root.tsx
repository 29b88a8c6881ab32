import { Links, Meta, Outlet, Scripts } from "react-router";
import fontUrl from "../../../app/fonts/instrument-sans.woff2?url";
import fontStylesUrl from "../../../app/font.css?url&no-inline";
import stylesUrl from "../../../app/styles.css?url";

export default function Root() {
  return (
    <html lang="en-US">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>The floor</title>
        <meta name="description" content="A page of this stack that hydrates almost nothing." />
        <link rel="preload" href={fontUrl} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={fontStylesUrl} />
        <link rel="stylesheet" href={stylesUrl} />
        <Meta />
        <Links />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}
