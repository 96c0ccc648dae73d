-- Sends the requests of a file (bench/wrk.ts writes it) in order, each thread from another place in it.
-- Arguments: the file, the mark's place holder, and the run's tag. Every request gets a mark of its own in the place
-- holder's stead and of its length: tag, thread, count. It is the idempotency key and the external id.

-- The environment's PORTS are those of the loopback that the threads load, in turns.

local threads = 0
local ports = {}
for port in os.getenv("PORTS"):gmatch("%d+") do ports[#ports + 1] = port end

function setup(thread)
  thread:set("thread_number", threads)
  thread.addr = wrk.lookup("127.0.0.1", ports[threads % #ports + 1])[1]
  threads = threads + 1
end

function init(args)
  local holder = args[2]
  tag = string.format("%s%02d", args[3], thread_number)
  digits = "%s%0" .. (#holder - #tag) .. "d"
  requests = {}
  local file = assert(io.open(args[1], "rb"))
  for text in file:read("*a"):gmatch("([^%z]+)%z") do
    local parts, from = {}, 1
    while true do
      local start, stop = text:find(holder, from, true)
      parts[#parts + 1] = text:sub(from, start and start - 1)
      if not start then break end
      from = stop + 1
    end
    requests[#requests + 1] = parts
  end
  file:close()
  sent = 0
  place = thread_number * 997
end

function request()
  sent = sent + 1
  place = place % #requests + 1
  local parts = requests[place]
  if #parts == 1 then return parts[1] end
  return table.concat(parts, digits:format(tag, sent))
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"seconds":%.6f,"bytes":%d,"p50Us":%d,"p99Us":%d,"p999Us":%d,"maxUs":%d,"statusErrors":%d,"socketErrors":%d}\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9), latency.max,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
