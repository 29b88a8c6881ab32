/** The payment page's style, inline and allowed by its hash. */
import { sha256 } from "./secrets.ts";

export const STYLE = `
:root { --paper: #f6f4ef; --card: #fff; --sage: #eceadf; --line: #e2e0da; --ink: #16191c; --soft: #565c61; --leaf: #4f5f3f; --leaf-deep: #3e4b31;
--leaf-light: #dde3d2; --warn: #9a3412; --warn-soft: #fdebdd; --error: #b42318; color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; background: var(--card); color: var(--ink); font:
16px/1.5 "Instrument Sans", "Helvetica Neue", Arial, system-ui, sans-serif; -webkit-font-smoothing: antialiased; overflow-wrap: break-word; }
h1, h2, p, dl, dd, ul, fieldset { margin: 0; padding: 0; } h1, h2 { line-height: 1.15; letter-spacing: -0.02em; text-wrap: balance; }
a { color: var(--leaf); text-underline-offset: 3px; } a:hover { color: var(--leaf-deep); }
:focus-visible { outline: 2px solid var(--leaf); outline-offset: 3px; border-radius: 6px; }
.banner { background: repeating-linear-gradient(135deg, #f0b48b 0 14px, #fdebdd 14px 28px) top / 100% 6px no-repeat, var(--warn-soft); color:
var(--warn); padding: 16px 20px 10px; text-align: center; font-size: 15px; }
.banner strong { display: inline-block; margin-right: 8px; padding: 1px 10px; border-radius: 999px; background: var(--warn); color: #fff; font-size:
13px; letter-spacing: 0.04em; text-transform: uppercase; }
main { flex: 1; display: grid; grid-template-columns: 1fr 1fr; } .summary, .work { padding: 56px clamp(24px, 5vw, 88px) 72px; }
.summary { background: var(--paper); border-right: 1px solid var(--line); display: flex; justify-content: flex-end; }
.summary > div, .work > div { width: 100%; max-width: 460px; }
.brand { display: flex; align-items: center; justify-content: space-between; gap: 16px; margin-bottom: 48px; }
.brand a { display: inline-flex; align-items: center; min-height: 44px; } .brand b { font-size: 20px; letter-spacing: -0.02em; }
.for { color: var(--soft); }
.sum { font-size: clamp(40px, 5vw, 56px); font-weight: 600; letter-spacing: -0.03em; line-height: 1.1; margin: 4px 0 32px; font-variant-numeric:
tabular-nums; }
dl { border-top: 1px solid var(--line); }
dl > div { display: flex; justify-content: space-between; gap: 24px; padding: 14px 0; border-bottom: 1px solid var(--line); }
dt small { display: block; color: var(--soft); font-size: 14px; } dd { font-variant-numeric: tabular-nums; white-space: nowrap; }
dl .total { border: 0; font-weight: 600; } .quiet { color: var(--soft); font-size: 15px; } .work h1, .work h2 { font-size: 24px; }
.work h1 { font-size: 28px; } .wallets { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; margin-top: 20px; }
button, .button { display: inline-flex; align-items: center; justify-content: center; gap: 8px; width: 100%; min-height: 52px; padding: 0 24px;
border: 0; border-radius: 999px; background: var(--leaf); color: #fff; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
transition: background-color 180ms ease-out; }
button:hover, .button:hover { background: var(--leaf-deep); color: #fff; } button:focus-visible, .button:focus-visible { border-radius: 999px; }
button:active { opacity: 0.85; } .wallet { background: var(--ink); padding: 0 12px; } .wallet:hover { background: #33383d; }
.second { background: none; color: var(--ink); box-shadow: inset 0 0 0 1px #85898d; } .second:hover { background: var(--paper); color: var(--ink); }
.wallets + .quiet { margin-top: 12px; }
.or { display: flex; align-items: center; gap: 16px; margin: 28px 0 24px; color: var(--soft); font-size: 15px; }
.or::before, .or::after { content: ""; flex: 1; height: 1px; background: var(--line); } .field { margin-top: 16px; }
label { display: block; font-size: 15px; font-weight: 600; margin-bottom: 6px; }
input { width: 100%; height: 52px; padding: 0 16px; border: 1px solid #85898d; border-radius: 12px; background: #fff; color: var(--ink); font:
inherit; font-variant-numeric: tabular-nums; }
input:focus-visible { outline-offset: 1px; border-radius: 12px; } input::placeholder { color: #6b7176; opacity: 1; }
input[aria-invalid] { border-color: var(--error); box-shadow: inset 0 0 0 1px var(--error); }
.hint { margin-top: 6px; color: var(--soft); font-size: 14px; } .error { margin-top: 6px; color: var(--error); font-size: 15px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 12px; }
.alert { margin-top: 20px; padding: 14px 16px; border-radius: 12px; background: #fdecea; color: #8f1c13; } .alert b { display: block; }
form > button { margin-top: 24px; } .wallets button { margin-top: 0; } .then { display: grid; gap: 12px; margin-top: 32px; }
.then button { margin: 0; } .accounts { display: grid; gap: 12px; padding: 0 16px 16px; } .accounts > button { margin: 0; padding: 10px 20px; } details { margin-top: 24px; border: 1px solid var(--line); border-radius: 14px; background: var(--paper); }
summary { padding: 14px 16px; font-weight: 600; cursor: pointer; border-radius: 14px; }
summary:focus-visible { outline-offset: -2px; border-radius: 14px; } table { width: 100%; border-collapse: collapse; font-size: 15px; }
th, td { padding: 9px 16px; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
th { white-space: nowrap; font-variant-numeric: tabular-nums; padding-right: 0; } td { color: var(--soft); }
.typed { padding: 0 16px 16px; text-align: left; } .tick { display: flex; align-items: center; gap: 10px; min-height: 44px; margin: 12px 0 0;
font-weight: 400; } .tick input { width: 20px; height: 20px; accent-color: var(--leaf); } .typed button { margin-top: 12px; }
.back { display: inline-flex; align-items: center; min-height: 44px; margin-top: 12px; } .lone { display: block; }
.lone .work { margin: 0 auto; max-width: 640px; text-align: center; padding-top: clamp(48px, 12vh, 128px); } .lone .work > div { margin: 0 auto; }
.lone p { margin-top: 16px; } .lone .then { margin-top: 32px; }
.bank { margin-top: 32px; padding: 24px; border: 1px solid var(--line); border-radius: 14px; background: var(--paper); text-align: left; }
@media (max-width: 860px) { main { display: block; } .summary { display: block; border: 0; border-bottom: 1px solid var(--line); } .summary, .work {
padding: 28px 20px 32px; } .summary > div, .work > div { max-width: 560px; margin: 0 auto; } .brand { margin-bottom: 24px; } .sum { margin-bottom:
20px; } th, td { display: block; padding: 0 16px 9px; border: 0; } th { border-top: 1px solid var(--line); padding: 9px 16px 0; } }
@media (max-width: 440px) { .wallets { grid-template-columns: 1fr; } } @media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media (forced-colors: active) { input, button, .button { border: 1px solid; } }
`;

/** `formTo`: origins that forms may redirect to. */
export const contentSecurityPolicy = (formTo: string[]): string =>
  [
    "default-src 'none'",
    "object-src 'none'",
    `style-src 'sha256-${sha256(STYLE, "base64")}'`,
    "img-src data:",
    `form-action 'self' ${formTo.join(" ")}`.trim(),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
