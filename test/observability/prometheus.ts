import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { unpackDebianPackages } from '../../gateway/local-cluster/debian-packages.ts'

const folder = resolve(import.meta.dirname, '../../..', '.prometheus')

/** Prometheus and promtool: those in PATH, or taken from Debian's package into an ignored folder of the project. */
export const prometheusPrograms = (): { readonly prometheus: string; readonly promtool: string } => {
  const found = ['', `${folder}/`].find((place) =>
    ['prometheus', 'promtool'].every((name) => spawnSync(place + name, ['--version']).status === 0),
  )
  if (found !== undefined) return { prometheus: `${found}prometheus`, promtool: `${found}promtool` }
  const programs = ['usr/bin/prometheus', 'usr/bin/promtool']
  unpackDebianPackages(codeName(), { prometheus: programs }, folder)
  return { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') }
}

/** What is built for this release finds its libraries here. */
const codeName = (): string =>
  /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable'

/** Runs promtool; answers what it printed where it found nothing wrong, and throws with that where it did. */
export const runPromtool = (args: readonly string[], input = ''): string => {
  const { promtool } = prometheusPrograms()
  const { status, stdout, stderr } = spawnSync(promtool, args, { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(`promtool ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout + stderr
}
