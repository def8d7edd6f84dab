#!/usr/bin/env ruby
# <argos.title>Net</argos.title>
puts "up"
