import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { freePort } from '../gateway/base/free-port.ts'

/**
 * A port for something that is started again and again. It lies below those that the system gives to outgoing connections, one of which could have
 * taken it between two starts.
 */
export const lastingPort = async (): Promise<number> => {
  const [first] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/)
  for (;;) {
    const port = await freePort('127.0.0.1', randomInt(10_000, Number(first))).catch(() => null)
    if (port !== null) return port
  }
}
