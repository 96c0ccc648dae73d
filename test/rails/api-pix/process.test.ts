import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'

t.test('a bank runs as a process of its own, on the time of the machine', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'rail-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const main = resolve(import.meta.dirname, 'main.js')
  const child = spawn(process.execPath, [main, '--bank', 'efi', '--folder', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  t.teardown(() => void child.kill('SIGKILL'))
  const line = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve))
  const given = JSON.parse(line)
  t.match(given, { bank: 'efi', url: /^https:\/\/localhost:/, control: /^http:\/\/127/, clientId: /./ })
  const token = await new Promise<any>((resolve, reject) => {
    const sent = request(
      given.tokenUrl,
      {
        method: 'POST',
        agent: false,
        auth: `${given.clientId}:${given.clientSecret}`,
        headers: { 'content-type': 'application/json' },
        ca: readFileSync(given.authority),
        cert: readFileSync(given.certificate),
        key: readFileSync(given.key),
      },
      async (response) => {
        const parts: Buffer[] = []
        for await (const part of response) parts.push(part)
        resolve(JSON.parse(Buffer.concat(parts).toString()))
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify({ grant_type: 'client_credentials' }))
  })
  t.match(token, { token_type: 'Bearer', expires_in: 3600 })
  const state: any = await (await fetch(`${given.control}/state`)).json()
  t.ok(Math.abs(state.nowMs - Date.now()) < 60_000)
  child.kill('SIGTERM')
  t.equal(await ended, 0)
})
