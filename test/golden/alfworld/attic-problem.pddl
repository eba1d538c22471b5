(define (problem attic_trial)
  (:domain attic)
  (:objects
    agent1 - agent
    Trunk - object Lamp - object
    HatType - otype LampType - otype KnifeType - otype CheeseType - otype BallType - otype PlateType - otype
    ShelfType - rtype ChestType - rtype SinkBasinType - rtype TableType - rtype
    Hat_bar__minus_00_dot_10_bar__plus_01_dot_20 - object
    Hat_bar__plus_00_dot_10_bar__plus_01_dot_20 - object
    Hat_bar__plus_02_dot_00_bar__plus_00_dot_10 - object
    DeskLamp_bar__plus_01_dot_00_bar__plus_00_dot_90 - object
    Knife_bar__minus_01_dot_00_bar__plus_00_dot_90 - object
    Cheese_bar__plus_03_dot_00_bar__plus_00_dot_30 - object
    Ball_bar__plus_00_dot_00_bar__plus_00_dot_00 - object
    Plate_bar__plus_01_dot_10_bar__plus_00_dot_90 - object
    Shelf_bar__minus_00_dot_10_bar__plus_01_dot_00 - receptacle
    Shelf_bar__minus_00_dot_10_bar__plus_01_dot_50 - receptacle
    Chest_bar__plus_03_dot_00_bar__plus_00_dot_20 - receptacle
    Chest_bar__plus_02_dot_00_bar__plus_00_dot_10 - receptacle
    Sink_bar__plus_05_dot_00_bar__plus_00_dot_90_bar_SinkBasin - receptacle
    Table_bar__plus_01_dot_00_bar__plus_00_dot_80 - receptacle
    loc_bar_0_bar_0_bar_1_bar_30 - location
    loc_bar__minus_1_bar_4_bar_2_bar_15 - location
    loc_bar_3_bar_2_bar_0_bar__minus_30 - location
    loc_bar_2_bar_1_bar_0_bar_60 - location
    loc_bar_5_bar_3_bar_3_bar_45 - location
  )
  (:init
    (= (total-cost) 0)
    (atLocation agent1 loc_bar_0_bar_0_bar_1_bar_30)
    (receptacleType Shelf_bar__minus_00_dot_10_bar__plus_01_dot_00 ShelfType)
    (receptacleType Shelf_bar__minus_00_dot_10_bar__plus_01_dot_50 ShelfType)
    (receptacleType Chest_bar__plus_03_dot_00_bar__plus_00_dot_20 ChestType)
    (receptacleType Chest_bar__plus_02_dot_00_bar__plus_00_dot_10 ChestType)
    (receptacleType Sink_bar__plus_05_dot_00_bar__plus_00_dot_90_bar_SinkBasin SinkBasinType)
    (receptacleType Table_bar__plus_01_dot_00_bar__plus_00_dot_80 TableType)
    (openable Chest_bar__plus_03_dot_00_bar__plus_00_dot_20)
    (openable Chest_bar__plus_02_dot_00_bar__plus_00_dot_10)
    (receptacleAtLocation Shelf_bar__minus_00_dot_10_bar__plus_01_dot_00 loc_bar__minus_1_bar_4_bar_2_bar_15)
    (receptacleAtLocation Shelf_bar__minus_00_dot_10_bar__plus_01_dot_50 loc_bar__minus_1_bar_4_bar_2_bar_15)
    (receptacleAtLocation Chest_bar__plus_03_dot_00_bar__plus_00_dot_20 loc_bar_3_bar_2_bar_0_bar__minus_30)
    (receptacleAtLocation Chest_bar__plus_02_dot_00_bar__plus_00_dot_10 loc_bar_2_bar_1_bar_0_bar_60)
    (receptacleAtLocation Table_bar__plus_01_dot_00_bar__plus_00_dot_80 loc_bar_2_bar_1_bar_0_bar_60)
    (receptacleAtLocation Sink_bar__plus_05_dot_00_bar__plus_00_dot_90_bar_SinkBasin loc_bar_5_bar_3_bar_3_bar_45)
    (objectType Hat_bar__minus_00_dot_10_bar__plus_01_dot_20 HatType)
    (objectType Hat_bar__plus_00_dot_10_bar__plus_01_dot_20 HatType)
    (objectType Hat_bar__plus_02_dot_00_bar__plus_00_dot_10 HatType)
    (objectType DeskLamp_bar__plus_01_dot_00_bar__plus_00_dot_90 LampType)
    (objectType Knife_bar__minus_01_dot_00_bar__plus_00_dot_90 KnifeType)
    (objectType Cheese_bar__plus_03_dot_00_bar__plus_00_dot_30 CheeseType)
    (objectType Ball_bar__plus_00_dot_00_bar__plus_00_dot_00 BallType)
    (objectType Plate_bar__plus_01_dot_10_bar__plus_00_dot_90 PlateType)
    (canContain ShelfType HatType) (canContain ShelfType KnifeType) (canContain ShelfType PlateType)
    (canContain ChestType HatType) (canContain ChestType CheeseType) (canContain ChestType KnifeType)
    (canContain TableType HatType) (canContain TableType PlateType) (canContain TableType CheeseType) (canContain TableType KnifeType)
    (canContain SinkBasinType PlateType)
    (pickupable Hat_bar__minus_00_dot_10_bar__plus_01_dot_20)
    (pickupable Hat_bar__plus_00_dot_10_bar__plus_01_dot_20)
    (pickupable Hat_bar__plus_02_dot_00_bar__plus_00_dot_10)
    (pickupable Knife_bar__minus_01_dot_00_bar__plus_00_dot_90)
    (pickupable Cheese_bar__plus_03_dot_00_bar__plus_00_dot_30)
    (pickupable Ball_bar__plus_00_dot_00_bar__plus_00_dot_00)
    (pickupable Plate_bar__plus_01_dot_10_bar__plus_00_dot_90)
    (toggleable DeskLamp_bar__plus_01_dot_00_bar__plus_00_dot_90)
    (cleanable Plate_bar__plus_01_dot_10_bar__plus_00_dot_90)
    (sliceable Cheese_bar__plus_03_dot_00_bar__plus_00_dot_30)
    (inReceptacle Hat_bar__minus_00_dot_10_bar__plus_01_dot_20 Shelf_bar__minus_00_dot_10_bar__plus_01_dot_00)
    (inReceptacle Hat_bar__minus_00_dot_10_bar__plus_01_dot_20 Shelf_bar__minus_00_dot_10_bar__plus_01_dot_50)
    (inReceptacle Hat_bar__plus_00_dot_10_bar__plus_01_dot_20 Chest_bar__plus_03_dot_00_bar__plus_00_dot_20)
    (inReceptacle Hat_bar__plus_02_dot_00_bar__plus_00_dot_10 Chest_bar__plus_02_dot_00_bar__plus_00_dot_10)
    (inReceptacle DeskLamp_bar__plus_01_dot_00_bar__plus_00_dot_90 Table_bar__plus_01_dot_00_bar__plus_00_dot_80)
    (inReceptacle Knife_bar__minus_01_dot_00_bar__plus_00_dot_90 Shelf_bar__minus_00_dot_10_bar__plus_01_dot_50)
    (inReceptacle Cheese_bar__plus_03_dot_00_bar__plus_00_dot_30 Chest_bar__plus_03_dot_00_bar__plus_00_dot_20)
    (inReceptacle Plate_bar__plus_01_dot_10_bar__plus_00_dot_90 Table_bar__plus_01_dot_00_bar__plus_00_dot_80)
    (inReceptacle Plate_bar__plus_01_dot_10_bar__plus_00_dot_90 Table_bar__plus_01_dot_00_bar__plus_00_dot_80)
    (objectAtLocation Hat_bar__minus_00_dot_10_bar__plus_01_dot_20 loc_bar__minus_1_bar_4_bar_2_bar_15)
    (objectAtLocation Hat_bar__plus_00_dot_10_bar__plus_01_dot_20 loc_bar_3_bar_2_bar_0_bar__minus_30)
    (objectAtLocation Hat_bar__plus_02_dot_00_bar__plus_00_dot_10 loc_bar_2_bar_1_bar_0_bar_60)
    (objectAtLocation DeskLamp_bar__plus_01_dot_00_bar__plus_00_dot_90 loc_bar_2_bar_1_bar_0_bar_60)
    (objectAtLocation Knife_bar__minus_01_dot_00_bar__plus_00_dot_90 loc_bar__minus_1_bar_4_bar_2_bar_15)
    (objectAtLocation Cheese_bar__plus_03_dot_00_bar__plus_00_dot_30 loc_bar_3_bar_2_bar_0_bar__minus_30)
    (objectAtLocation Ball_bar__plus_00_dot_00_bar__plus_00_dot_00 loc_bar_5_bar_3_bar_3_bar_45)
    (objectAtLocation Plate_bar__plus_01_dot_10_bar__plus_00_dot_90 loc_bar_2_bar_1_bar_0_bar_60)
  )
  (:goal
    (and
      (exists (?r - receptacle)
        (exists (?o1 - object)
          (and
            (objectType ?o1 HatType)
            (receptacleType ?r TableType)
            (inReceptacle ?o1 ?r)
            (exists (?o2 - object)
              (and
                (not (= ?o1 ?o2))
                (objectType ?o2 HatType)
                (receptacleType ?r TableType)
                (inReceptacle ?o2 ?r)))))))
  )
)
