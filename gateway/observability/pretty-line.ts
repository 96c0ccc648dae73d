/** Formats a JSON line of the log for people: time of day, level, message and details, then the stack of an error. */
export const prettyLine = (json: string, hasColors: boolean): string => {
  const paint = (color: Color, text: string): string =>
    hasColors ? `\u001b[${colors[color]}m${text}\u001b[0m` : text
  const line = readLine(json)
  if (line === null) return json
  const { level, time, err, ...fields } = line
  const { msg = '', ...details } = fields.msg === 'answered' ? answered(fields) : fields
  const { name, color } = levelOf(Number(level))
  const parts = [
    paint('gray', String(time).slice(11, 23)),
    paint(color, name.padEnd(5)),
    msg,
    ...pairsOf(details).map(([name, value]) => `${paint('gray', `${name}=`)}${value}`),
  ]
  const stack = !err ? '' : `${indented(String(err.stack ?? err.message))}\n`
  return `${parts.join(' ')}\n${stack}`
}

/** A request in the order in which people read it. */
const answered = ({ verb, route: _, path, status, durationMs, msg: __, ...rest }: Line): Line => ({
  msg: `${displayValue(verb)} ${displayValue(path)} ${status} in ${durationMs} ms`,
  ...rest,
})

type Line = Readonly<Record<string, unknown>> & {
  readonly msg?: string
  readonly err?: { readonly message?: unknown; readonly stack?: unknown } | null
}

const readLine = (json: string): Line | null => {
  try {
    return JSON.parse(json) as Line
  } catch {
    return null
  }
}

/** Nulls are left out, because people need not read them. */
const pairsOf = (details: object): (readonly [string, string])[] =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, displayValue(value)])

/** A text as it is, unless it could be mistaken for several words. */
const displayValue = (value: unknown): string =>
  typeof value === 'string' && /^[\x21\x23-\x7e]+$/.test(value) ? value : harmless(JSON.stringify(value))

const indented = (text: string): string => harmless(text).replace(/^/gm, '    ')

/** Escapes control characters, which a terminal would act on: log texts also come from clients. */
export const harmless = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const levelOf = (level: number): { readonly name: string; readonly color: Color } => {
  if (level >= 60) return { name: 'FATAL', color: 'red' }
  if (level >= 50) return { name: 'ERROR', color: 'red' }
  if (level >= 40) return { name: 'WARN', color: 'yellow' }
  return level >= 30 ? { name: 'INFO', color: 'green' } : { name: 'DEBUG', color: 'gray' }
}

/** SGR parameters (ECMA-48, 8.3.117). */
const colors = { red: 31, green: 32, yellow: 33, gray: 90 } as const
type Color = keyof typeof colors
