import { accentOn } from '../typed/accent.ts'
import type { HttpResponse } from '../wire/transport.ts'

/** The style sheet of a company's colour: its address says the colour, so that browsers keep it for ever. */
export const accentPath = (accent: string): string => `/accent/${accent.slice(1)}.css`

/** Serves the colour of a path, as it can be read in both themes; null where the path says none. */
export const accentAt = (path: string): HttpResponse | null => {
  const hex = /^\/accent\/([0-9a-f]{6})\.css$/.exec(path)?.[1]
  if (hex === undefined) return null
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
    },
    body: `${rootWith(hex, 'light')}@media(prefers-color-scheme:dark){${rootWith(hex, 'dark')}}`,
  }
}

const rootWith = (hex: string, theme: 'light' | 'dark'): string => {
  const { background, text } = accentOn(`#${hex}`, theme)
  return `:root{--accent:${background};--on-accent:${text};--link:var(--ink)}`
}
