/** A page with coordinates in millimetres from its upper left corner. Font sizes are in points, as usual. */
export type Page = {
  /** The width of a line in millimetres per point of font size. */
  readonly widthOf: (text: string, font: Font) => number
  /** Writes one line of printable letters. */
  readonly write: (text: string, place: TextPlace) => void
  readonly fill: (boxes: readonly Box[], color?: string) => void
  readonly outline: (box: Box) => void
  /** Draws the line where the two parts are torn apart, from edge to edge of the print area. */
  readonly perforate: (y: number) => void
}

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

export type Font = 'Helvetica' | 'Helvetica-Bold'

export type TextPlace = {
  /** The left end, right end or middle of the line, by `align`. */
  readonly x: number
  /** The baseline. */
  readonly y: number
  readonly points: number
  readonly font?: Font
  readonly align?: 'left' | 'right' | 'center'
  /** Relative to the natural width of the letters. */
  readonly stretch?: number
  readonly color?: string
  /** Degrees counter-clockwise around the position. */
  readonly angle?: number
}

/** A4, and the part of it that every printer can reach. */
export const sheet = { width: 210, height: 297 }
export const printArea = { left: 10, width: 190, right: 200 }

/** Converts millimetres to points. */
export const toPoints = (millimetres: number): number => (millimetres * 72) / 25.4

/** The font size whose capitals and figures have this height: in Helvetica they are 0.718 of it. */
export const pointsOfHeight = (millimetres: number): number => toPoints(millimetres) / 0.718

/** The share of a line's width that is left of its position. */
const shares = { center: 0.5, right: 1 }

/** Starts a page of a PDF. */
export const newPage = (pdf: PDFKit.PDFDocument): Page => {
  const widthOf = (text: string, font: Font): number =>
    pdf.font(font).fontSize(1000).widthOfString(text) / toPoints(1000)
  return {
    widthOf,
    write: (text, place) => {
      const { font = 'Helvetica', align = 'left', stretch = 1, angle = 0, color = 'black', points } = place
      // Measuring is half of the work of a page, so left-aligned lines are not measured.
      const left = align === 'left' ? place.x : place.x - widthOf(text, font) * points * shares[align]
      const origin = [toPoints(place.x), toPoints(place.y)]
      pdf.save()
      if (angle !== 0) pdf.rotate(-angle, { origin })
      if (stretch !== 1) pdf.scale(stretch, 1, { origin })
      pdf.font(font).fontSize(points).fillColor(color)
      pdf.text(text, toPoints(left), toPoints(place.y), { lineBreak: false, baseline: 'alphabetic' })
      pdf.restore()
    },
    fill: (boxes, color = 'black') => {
      for (const { x, y, width, height } of boxes)
        pdf.rect(toPoints(x), toPoints(y), toPoints(width), toPoints(height))
      pdf.fill(color)
    },
    outline: ({ x, y, width, height }) => {
      pdf.lineWidth(0.5).rect(toPoints(x), toPoints(y), toPoints(width), toPoints(height)).stroke('black')
    },
    perforate: (y) => {
      pdf.save().lineWidth(0.5).dash(3, { space: 3 })
      pdf
        .moveTo(toPoints(printArea.left), toPoints(y))
        .lineTo(toPoints(printArea.right), toPoints(y))
        .stroke('black')
      pdf.restore()
    },
  }
}
