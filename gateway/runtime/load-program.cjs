const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { Script } = require('node:vm')
const { isMainThread } = require('node:worker_threads')

/**
 * Loads the bundle beside it with V8's code cache: what was compiled when the bundle was made is not compiled again by each thread and
 * process. V8 ignores a cache of another version or of other flags, and compiles as usual.
 *
 * `bundle.js` copies it to `dist/gateway/program/`. Node's own cache (`module.enableCompileCache`) begins with 22.1.
 */

/** Other commands need little of the bundle, and read a cache without the code of the service. `main.ts` knows the same three. */
const loadsService =
  !isMainThread || process.argv.some((word) => ['start', 'verify', 'restore'].includes(word))

const cacheFileOf = (kind) => join(__dirname, `${kind}.cache`)

const readCache = (kind) => {
  try {
    return readFileSync(cacheFileOf(kind))
  } catch {
    return undefined
  }
}

/** Gives the entries of the bundle, by name, and the script, which can write its cache. */
const load = (kind = loadsService ? 'service' : 'command') => {
  const filename = join(__dirname, 'program.js')
  // The bundle is ASCII: read as such, a character takes one byte of memory.
  const source = `(function (exports, require, module, __filename, __dirname, bundleUrl) {${readFileSync(filename, 'latin1')}\n})`
  const script = new Script(source, { filename, cachedData: readCache(kind) })
  const module = { exports: {} }
  // Threads begin with the file that the main thread began with.
  const bundleUrl = pathToFileURL(join(__dirname, 'main.js')).href
  script.runInThisContext()(module.exports, require, module, filename, __dirname, bundleUrl)
  return { entries: module.exports, script }
}

module.exports = { cacheFileOf, load }
