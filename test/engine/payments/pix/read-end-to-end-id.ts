import { readInstant } from '../../../../engine/shared/calendar.ts'

/** The minute is when the id was made, not when the money moved: scheduled payments always have 15:00. */
type EndToEndParts = {
  readonly kind: 'E' | 'D'
  readonly ispb: string
  readonly minuteMs: number
  readonly suffix: string
}

/** The parts of an end-to-end id, which is case-sensitive; null if the text is not one. */
export const readEndToEndId = (text: string): EndToEndParts | null => {
  const [, kind, ispb, year, month, day, hour, minute, suffix] = pattern.exec(text) ?? []
  const minuteMs = readInstant(`${year}-${month}-${day}T${hour}:${minute}Z`)
  if (minuteMs === null) return null
  return { kind: kind as 'E' | 'D', ispb: ispb!, minuteMs, suffix: suffix! }
}

const pattern = /^([ED])([0-9A-Z]{8})(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})([0-9A-Za-z]{11})$/
