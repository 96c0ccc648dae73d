import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { natsServer } from '../gateway/local-cluster/nats-server.ts'

/** Runs every compiled test file with tap, shows what fails, and ends with the count. */
const testFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    const path = join(folder, item.name)
    if (item.isDirectory()) return testFiles(path)
    return item.name.endsWith('.test.js') ? [path] : []
  })

// Found, or installed, once for all files.
natsServer()

const files = process.argv.length > 2 ? process.argv.slice(2) : testFiles('dist/test').sort()
const tap = spawn(
  'npx',
  ['tap', '--reporter=tap', '--disable-coverage', '--allow-empty-coverage', ...files],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)

let output = ''
tap.stdout.on('data', (chunk: Buffer) => {
  output += chunk.toString('utf8')
})

tap.on('close', (code) => {
  const lines = output.split('\n')
  const results = lines
    .map((line) => /^\s*(not ok|ok) \d+ - (.*)$/.exec(line))
    .filter((match) => match !== null)
  // A test that has subtests counts through them; only leaves are assertions.
  const total = /^# \{ total: (\d+), pass: (\d+)(?:, fail: (\d+))?.*\}$/m.exec(
    output.slice(output.lastIndexOf('# { total')),
  )
  const failed = Number(total?.[3] ?? 0)
  const passed = Number(total?.[2] ?? 0)
  if (code !== 0 || failed > 0) {
    const places = lines.flatMap((line, n) => (/^\s*not ok /.test(line) ? [n] : []))
    for (const place of places.slice(0, 60)) console.log(lines.slice(place, place + 25).join('\n'))
  }
  for (const [, result, name] of results) if (/\.test\.js/.test(name ?? '')) console.log(`${result} ${name}`)
  if (passed + failed === 0) {
    console.log(output.slice(-4000))
    process.exitCode = 1
  }
  console.log(`\n${passed} passed, ${code !== 0 && failed === 0 ? 1 : failed} failed`)
  if (code !== 0) process.exitCode = 1
})
