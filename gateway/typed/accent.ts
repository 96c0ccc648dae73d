/** A company's colour as it is painted: never one on which text cannot be read. */
export type Accent = { readonly background: string; readonly text: '#000000' | '#ffffff' }

export type PageTheme = keyof typeof grounds

/** The grounds of the pages where payers pay: of those of a theme, the one that is nearest to its colours. */
export const grounds = { light: '#f4f5f3', dark: '#171c1a' } as const

/**
 * A colour, `#rrggbb`, as buttons and the focus are painted with it on the ground of a theme. The text on it, black or white, has a contrast
 * of at least 4.5, and the colour itself of at least 3 against the ground: the edge of a button and the ring of the focus
 * must be seen (WCAG 2.2, 1.4.3 and 1.4.11). A colour that does not fit is mixed with black on the light ground and with white
 * on the dark one, by as little as it takes.
 */
export const accentOn = (hex: string, theme: PageTheme = 'light'): Accent => {
  const away = theme === 'light' ? 0 : 255
  const colour = channelsOf(hex)
  let background = hex.toLowerCase()
  // Pure black fits the light ground and pure white the dark one, so this ends.
  for (let percent = 1; contrastOf(background, grounds[theme]) < edgeContrast; percent++)
    background = hexOf(colour.map((value) => Math.round(value + ((away - value) * percent) / 100)))
  const isDark = contrastOf(background, '#ffffff') >= contrastOf(background, '#000000')
  return { background, text: isDark ? '#ffffff' : '#000000' }
}

const edgeContrast = 3

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio). */
export const contrastOf = (one: string, other: string): number => {
  const [bright, dim] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number]
  return (bright + 0.05) / (dim + 0.05)
}

/** The relative luminance of sRGB, from 0 to 1. */
const luminanceOf = (hex: string): number => {
  const [red, green, blue] = channelsOf(hex).map(linear) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const linear = (value: number): number => {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const channelsOf = (hex: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

const hexOf = (channels: readonly number[]): string =>
  `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`
