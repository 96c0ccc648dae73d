/** The progress of long work on a data directory. */
export type Progress = {
  readonly shard: number
  readonly shards: number
  readonly step: string
  readonly done: number
  readonly of: number
}

/** A line on a terminal that shows progress, and disappears when the work is done. */
export type ProgressLine = { readonly show: (text: string) => void; readonly end: () => void }

/** Writes only to a terminal on standard error, so that programs never read progress lines. */
export const openProgressLine = (isWanted: boolean): ProgressLine => {
  const { stderr } = process
  if (!isWanted || !stderr.isTTY) return { show: () => undefined, end: () => undefined }
  return {
    show: (text) => void stderr.write(`\r\x1b[K${text}`),
    end: () => void stderr.write('\r\x1b[K'),
  }
}

/** The progress in words. */
export const progressText = ({ shard, shards, step, done, of }: Progress): string =>
  `shard ${shard + 1} of ${shards}, ${steps[step] ?? step}: ${shareText(done, of)}`

/** `300 of 1,200 (25 %)` */
export const shareText = (done: number, of: number): string => {
  const share = of === 0 ? 100 : Math.floor((100 * done) / of)
  const count = (number: number): string => number.toLocaleString('en')
  return `${count(done)} of ${count(of)} (${share} %)`
}

const steps: Readonly<Record<string, string>> = {
  COPY_STATE: 'copying its snapshot',
  COPY_JOURNAL: 'copying its journal',
  SEARCH: 'looking for the moment',
  CHECK: 'checking bytes',
  REPLAY: 'replaying entries',
  COMPARE: 'comparing states',
}
