import { assetPath, type PageAsset } from '../assets.ts'
import type { PageLanguage } from '../texts/texts.ts'
import { type Html, html } from './html.ts'

/** An HTML document of the checkout's hosts. */
export const documentOf = ({
  language,
  title,
  style,
  head = null,
  body,
}: {
  readonly language: PageLanguage
  readonly title: string
  readonly style: PageAsset
  /** More of the head, after the style. */
  readonly head?: Html | null
  /** The element with its attributes. */
  readonly body: Html
}): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${assetPath(style)}">
${head}
</head>
${body}
</html>
`.markup

/** No icon, so that browsers do not ask for one. */
export const icon = html`<link rel="icon" href="data:,">`
