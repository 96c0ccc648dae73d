/** Writes the lines of several programs, each prefixed with its program's name. */
export type Teller = {
  readonly say: (who: string, text: string) => void
  /** Writes a line of a node's log in readable form; the lines about single requests are left out. */
  readonly sayLogged: (who: string, line: string) => void
}

/** Opens a writer of prefixed lines. */
export const openTeller = (write: (line: string) => void): Teller => {
  /** Lines about single shards arrive in bursts, and are merged into one. */
  const gathered = new Map<string, number[]>()

  const say = (who: string, text: string): void => write(`${who.padEnd(6)} ${text}`)

  const sayLogged = (who: string, text: string): void => {
    const line = read(text)
    if (line === null) say(who, text)
    else if (typeof line.shard === 'number') gather(who, line, line.shard)
    else if (line.msg !== 'answered') say(who, `${clock(line)} ${messageText(line)}`)
  }

  const gather = (who: string, line: Line, shard: number): void => {
    const key = `${who} ${messageText(line)}`
    const shards = gathered.get(key) ?? []
    shards.push(shard)
    if (shards.length > 1) return
    gathered.set(key, shards)
    setTimeout(() => {
      gathered.delete(key)
      say(who, `${clock(line)} ${messageText(line)}: ${shards.sort((a, b) => a - b).join(', ')}`)
    }, gatherMs)
  }

  return { say, sayLogged }
}

const gatherMs = 1000

/** A line as pino writes it: one JSON object with an ISO 8601 time. */
type Line = Readonly<Record<string, unknown>> & { readonly err?: { readonly message?: unknown } }

const read = (text: string): Line | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? (value as Line) : null
  } catch {
    return null
  }
}

const clock = ({ time }: Line): string => String(time).slice(11, 19)

const messageText = (line: Line): string => {
  const { level, time: _, msg, err, shard: __, reason, epoch: ___, afterMs: ____, ...rest } = line
  const details = Object.entries(rest).map(([name, value]) => `${name}=${displayValue(value)}`)
  return [
    ...(Number(level) >= 50 ? ['ERROR'] : Number(level) >= 40 ? ['WARN'] : []),
    msg,
    ...(reason === undefined ? [] : [`(${reason})`]),
    ...(err?.message === undefined ? [] : [`(${err.message})`]),
    ...details,
  ].join(' ')
}

const displayValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
