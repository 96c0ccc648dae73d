/** How far long work on a data directory is. */
export type Progress = {
  readonly shard: number
  readonly shards: number
  readonly step: string
  readonly done: number
  readonly of: number
}

/** One line on a terminal that says how far work is, and is gone when it is done. */
export type ProgressLine = { readonly show: (text: string) => void; readonly end: () => void }

/** On a terminal's standard error alone: what is read by programs has no such lines. */
export const openProgressLine = (isWanted: boolean): ProgressLine => {
  const { stderr } = process
  if (!isWanted || !stderr.isTTY) return { show: () => undefined, end: () => undefined }
  return {
    show: (text) => void stderr.write(`\r\x1b[K${text}`),
    end: () => void stderr.write('\r\x1b[K'),
  }
}

export const progressText = ({ shard, shards, step, done, of }: Progress): string =>
  `shard ${shard + 1} of ${shards}, ${steps[step] ?? step}: ${shareText(done, of)}`

export const shareText = (done: number, of: number): string => {
  const share = of === 0 ? 100 : Math.floor((100 * done) / of)
  const count = (number: number): string => number.toLocaleString('en')
  return `${count(done)} of ${count(of)} (${share} %)`
}

const steps: Readonly<Record<string, string>> = {
  COPY_STATE: 'copying its snapshot',
  COPY_JOURNAL: 'copying its journal',
  REPLAY: 'replaying entries',
  COMPARE: 'comparing states',
}
