import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { natsServer } from '../gateway/local-cluster/nats-server.ts'
import { prometheusPrograms } from './observability/prometheus.ts'
import { type FileOutcome, type FileProcess, startFileProcess } from './runner/file-processes.ts'

/**
 * Runs every test file, or those that are named, or in folders that are, several at a time; shows what fails, and ends with the count.
 * Not with tap's own runner: it loads its hooks into every process and thread that a test starts, which takes as much
 * processor time again as the tests.
 */
/** Two more than cores: many files wait for leases, receivers and browsers, and would leave a core without work meanwhile. */
const jobs = Math.max(2, Math.min(availableParallelism(), 8)) + 2
/** What hangs is ended by it. A busy machine needs ten times as long as an idle one for the longest of them. */
const timeoutSeconds = Number(process.env.TAP_TIMEOUT ?? 1200)
/**
 * How many files may run at once that start clusters, of up to six nodes and three servers: leases run out where the
 * cores are too busy.
 */
const clustersMax = 2
const startsCluster = (file: string): boolean =>
  /tests?\/(?:cluster\/(?!simulation)|e2e\/[\w-]*cluster)/.test(file)

/**
 * The compiled file of every source: what a source that is gone has left in `dist/` is not run. Those that start many processes take
 * longest and come first, so that in the end no job waits for one of them.
 */
const testFiles = (folders: readonly string[]): string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => folders.some((folder) => !relative(folder, join('test', name)).startsWith('..')))
    .sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
    .map((name) => compiledFrom(join('test', name)))

const slowest = [
  'cluster/',
  'docs/samples',
  'dashboard/',
  'gateway/wire/uws-20.57',
  'structure/growth',
  'e2e/',
  'persistence/',
]

const placeOf = (name: string): number => {
  const place = slowest.findIndex((start) => name.startsWith(start))
  return place < 0 ? slowest.length : place
}

const bundledTests = async (
  files: readonly string[],
): Promise<{ readonly program: string; readonly files: string[] }> => {
  const { bundleTests } = await import(pathToFileURL(resolve('test/bundle.js')).href)
  return bundleTests(files)
}

/** A test can be named by its source as well: `npm test -- test/engine/shared/money.test.ts`. */
function compiledFrom(file: string): string {
  return file.startsWith('test/') ? join('dist', file.replace(/\.ts$/, '.js')) : file
}

/** What a test file wrote about itself: its last line but one counts its assertions, those of subtests included. */
const countsOf = (output: string, endedWell: boolean): Pick<FileOutcome, 'passed' | 'failed'> => {
  const counted = /^# \{ total: (\d+), pass: (\d+)(?:, fail: (\d+))?.*\}$/m.exec(
    output.slice(output.lastIndexOf('\n# { total')),
  )
  const [passed, failed] = [Number(counted?.[2] ?? 0), Number(counted?.[3] ?? 0)]
  // One that ended without counting, or badly with all well, has failed once more than it says.
  return { passed, failed: failed === 0 && (!endedWell || !counted) ? 1 : failed }
}

const showFailures = ({ output, errors }: FileOutcome): void => {
  const lines = output.split('\n')
  const places = lines.flatMap((line, n) => (/^\s*not ok /.test(line) ? [n] : []))
  for (const place of places.slice(0, 20)) console.log(lines.slice(place, place + 25).join('\n'))
  if (places.length === 0) console.log(output.slice(-2000))
  console.log(errors.slice(-4000))
}

/** Runs a file that is not bundled, in a process of its own. */
const runAlone = (file: string): Promise<FileOutcome> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [file],
      {
        maxBuffer: Number.POSITIVE_INFINITY,
        timeout: (timeoutSeconds + 20) * 1000,
        killSignal: 'SIGKILL',
        env: { ...process.env, TAP_TIMEOUT: String(timeoutSeconds) },
      },
      (error, output, errors) => resolve({ ...countsOf(output, error === null), output, errors }),
    )
  })

const report = async (file: string, running: Promise<FileOutcome>): Promise<void> => {
  const name = file.replace('bundled-tests', 'test')
  const started = performance.now()
  const outcome = await running
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${outcome.failed === 0 ? 'ok' : 'not ok'} ${name} ${outcome.passed} in ${seconds} s`)
  if (outcome.failed > 0) showFailures(outcome)
  outcomes.push(outcome)
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !existsSync(name) && !existsSync(compiledFrom(name)))
if (unknown.length > 0) {
  console.error(
    `there is no test ${unknown.join(', ')}: name files, such as test/engine/shared/money.test.ts`,
  )
  process.exit(1)
}
const isFolder = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false
const folders = asked.length === 0 ? ['test'] : asked.filter(isFolder)
const named = asked.filter((name) => !isFolder(name)).map(compiledFrom)
// Found, or installed, once for all files.
natsServer()
prometheusPrograms()

// Not bundled where somebody looks at a few: failures then name the files that they are in.
const bundled = folders.length > 0 ? await bundledTests([...testFiles(folders), ...named]) : null
const waiting = bundled?.files ?? named
const outcomes: Pick<FileOutcome, 'passed' | 'failed'>[] = []
let clusters = 0
const takeNext = (): string | undefined => {
  const place = waiting.findIndex((file) => clusters < clustersMax || !startsCluster(file))
  return place < 0 ? undefined : waiting.splice(place, 1)[0]
}

const runNext = async (): Promise<void> => {
  let files: FileProcess | null = null
  const endFiles = async (): Promise<void> => {
    const trouble = await files?.end()
    files = null
    if (trouble == null) return
    console.log(`not ok ${trouble}`)
    outcomes.push({ passed: 0, failed: 1 })
  }
  for (let file = takeNext(); file !== undefined; file = takeNext()) {
    const count = startsCluster(file) ? 1 : 0
    clusters += count
    if (bundled !== null) {
      files ??= startFileProcess(bundled.program, timeoutSeconds)
      await report(file, files.run(file))
      if (!files.isFresh()) await endFiles()
    } else await report(file, runAlone(file))
    clusters -= count
  }
  await endFiles()
}
await Promise.all(Array.from({ length: jobs }, runNext))

const [passed, failed] = (['passed', 'failed'] as const).map((kind) =>
  outcomes.reduce((total, outcome) => total + outcome[kind], 0),
)
console.log(`\n${passed} passed, ${failed} failed`)
if (failed !== 0 || passed === 0) process.exitCode = 1
