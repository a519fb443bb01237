/**
 * JSON lines as one value of a script. As values of their own they would be arguments of a function, of which there can be some 100,000
 * at most, and a request can have more lines.
 */
export const asOneValue = (lines: readonly string[]): string => lines.join('\n');

/** For the start of a script: `push(key, value)` appends the lines of such a value to a list. Lua has room for 1,000 of them at once. */
export const PUSH = `
local function push(key, value)
  local lines = {}
  for line in string.gmatch(value, '[^\\n]+') do
    lines[#lines + 1] = line
    if #lines == 1000 then
      redis.call('RPUSH', key, unpack(lines))
      lines = {}
    end
  end
  if #lines > 0 then redis.call('RPUSH', key, unpack(lines)) end
end`;
