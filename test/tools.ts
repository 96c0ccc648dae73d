import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const listed = join(root, 'test/tools')

/**
 * The folder of programs that only tests run, as `test/tools/package-lock.json` pins them: generators of clients, newman and Efí's SDK. They bring
 * more than three hundred packages, too many for everybody who clones the project and starts it, so the first test that wants one installs
 * them into an ignored folder.
 */
export const toolsFolder = (): string => {
  const lock = readFileSync(join(listed, 'package-lock.json'))
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 12)
  const folder = join(root, '.tools', version)
  if (existsSync(folder)) return folder
  mkdirSync(join(root, '.tools'), { recursive: true })
  // Two tests may install at once: each into a folder of its own, and one of them stays.
  const fresh = mkdtempSync(join(root, '.tools', 'new-'))
  cpSync(listed, fresh, { recursive: true })
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr } = spawnSync('npm', args, { cwd: fresh, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`)
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
