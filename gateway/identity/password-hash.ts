import { randomBytes } from 'node:crypto'
import { OperationRefusal } from '../problems/refusal.ts'

/** Hashes passwords with argon2id, in the thread pool: it takes some 80 ms and 19 MiB each (dashboard, section 1.3). */
export type PasswordHasher = {
  /** In PHC format. */
  readonly hash: (password: string) => Promise<string>
  /** Compares with a dummy hash if none is stored, so that both cases take equally long. */
  readonly isRight: (password: string, stored: string | null) => Promise<boolean>
  /** Whether it was hashed with other parameters than today's. */
  readonly isOutdated: (stored: string) => boolean
}

type Argon2 = {
  readonly hash: (password: string) => Promise<string>
  readonly verify: (stored: string, password: string) => Promise<boolean>
}

/** Opens a hasher that works on two passwords at a time, queues fifty, and refuses more. */
export const openPasswordHasher = (load: () => Promise<Argon2> = loadArgon2): PasswordHasher => {
  let library: Promise<Argon2> | null = null
  let dummy: Promise<string> | null = null
  const waiting: (() => void)[] = []
  let running = 0

  const inTurn = async <Done>(work: (argon2: Argon2) => Promise<Done>): Promise<Done> => {
    if (running >= atOnceMax) {
      if (waiting.length >= waitingMax)
        throw new OperationRefusal('TOO_MANY_ATTEMPTS', 'TOO_MANY_ATTEMPTS', { retryAfterSeconds: 1 })
      await new Promise<void>((resolve) => void waiting.push(resolve))
    } else running++
    try {
      library ??= load()
      return await work(await library)
    } finally {
      // The slot goes to the one that has waited longest: a newer call must not take it first.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }

  return {
    hash: (password) => inTurn(({ hash }) => hash(normalized(password))),
    isRight: (password, stored) =>
      inTurn(async ({ hash, verify }) => {
        dummy ??= hash(randomBytes(16).toString('hex'))
        const isEqual = await verify(stored ?? (await dummy), normalized(password))
        return stored !== null && isEqual
      }),
    isOutdated: (stored) => !stored.startsWith(`$argon2id$v=19$m=${memoryKib},t=${passes},p=1$`),
  }
}

const atOnceMax = 2
const waitingMax = 50
/** OWASP Password Storage Cheat Sheet. */
const memoryKib = 19_456
const passes = 2

/** One form for the same characters, however a keyboard composes them (NIST SP 800-63B-4, 3.1.1.2). */
const normalized = (password: string): string => password.normalize('NFC')

/** The native build, or where none loads the same function in WebAssembly, four times as slow. */
const loadArgon2 = async (): Promise<Argon2> => {
  try {
    const { hash, verify } = await import('@node-rs/argon2')
    const options = { memoryCost: memoryKib, timeCost: passes, parallelism: 1 }
    return { hash: (password) => hash(password, options), verify }
  } catch {
    const { argon2id, argon2Verify } = await import('hash-wasm')
    return {
      hash: (password) =>
        argon2id({
          password,
          salt: randomBytes(16),
          memorySize: memoryKib,
          iterations: passes,
          parallelism: 1,
          hashLength: 32,
          outputType: 'encoded',
        }),
      verify: (stored, password) => argon2Verify({ hash: stored, password }),
    }
  }
}
